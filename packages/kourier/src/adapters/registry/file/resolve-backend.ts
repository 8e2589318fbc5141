import type { Backend } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import type { Report } from './problem.ts';
import { type HeaderSpec, resolveHeaders } from './resolve-headers.ts';
import type { Secrets } from './secrets.ts';
import { type Say, speaker } from './speaker.ts';
import type { Path } from './yaml-documents.ts';

interface AgentBackendSpec {
  readonly dialect: 'a2a' | 'kagent-v1';
  readonly url: string;
  readonly card?: { readonly url: string };
  readonly headers?: readonly HeaderSpec[];
  readonly egress?: { readonly mode: 'direct' | 'public' };
}

export const backendSpec = ({ value }: Checked): AgentBackendSpec => value['spec'] as AgentBackendSpec;

export function resolveBackend(document: Checked, secrets: Secrets, report: Report): Backend {
  const { dialect, url, card, headers = [], egress } = backendSpec(document);
  const say = speaker(document, report);
  if (egress?.mode === 'public') {
    requireHttps('url', url, ['spec', 'url'], say);
    if (card !== undefined) requireHttps('card.url', card.url, ['spec', 'card', 'url'], say);
  }
  return {
    name: document.name,
    dialect,
    url,
    ...(card === undefined ? {} : { cardUrl: card.url }),
    headers: resolveHeaders(headers, secrets, say),
    egress: egress?.mode ?? 'direct',
  };
}

function requireHttps(field: string, url: string, path: Path, say: Say): void {
  if (new URL(url).protocol === 'https:') return;
  say(path, `${field} is not https, and egress mode public calls nothing else`, 'write https://, or mode direct');
}
