import type { Finding } from '../../../../ports/finding.ts';
import type { Binding } from '../../../../ports/registry.ts';
import { SCOPES, type Scope } from '../app/scopes.ts';
import type { Said } from './said.ts';

const ADD = 'add it and install the app again (app settings: OAuth & Permissions)';

/** What each missing scope costs these bindings. `granted` is what Slack says beside an answer. */
export function diagnoseScopes(
  granted: readonly string[] | undefined,
  bindings: readonly Binding[],
  say: Said,
): readonly Finding[] {
  if (granted === undefined)
    return [say('warn', 'Slack does not say which scopes the app has', 'compare them with kourier slack manifest')];
  const missing = Object.entries(SCOPES).filter(([name]) => !granted.includes(name));
  if (missing.length === 0) return [say('ok', `all ${Object.keys(SCOPES).length} scopes are granted`)];
  return missing.map(([name, scope]) =>
    say(
      isNeeded(scope, bindings) ? 'fail' : 'warn',
      `scope ${name} is missing: without it the app is not able to ${scope.to}`,
      ADD,
    ),
  );
}

function isNeeded({ needed }: Scope, bindings: readonly Binding[]): boolean {
  if (needed === 'both') return true;
  if (needed === 'channels') return bindings.some(({ chat }) => chat.channels.length > 0);
  return needed === 'direct-messages' && bindings.some(({ chat }) => chat.directMessages);
}
