import type { Finding } from '../../ports/finding.ts';
import type { Configuration } from '../../ports/registry.ts';

/** A configuration that is read; a binding is what makes it do something. */
export function configurationFinding({ bindings, platforms }: Configuration): Finding {
  const unused = [...platforms.keys()].filter((name) =>
    [...bindings.values()].every(({ chat }) => chat.platform !== name),
  );
  if (bindings.size === 0)
    return { verdict: 'warn', what: 'configuration: it has no binding', todo: 'add one: nothing is answered without' };
  if (unused.length > 0)
    return {
      verdict: 'warn',
      what: `configuration: no binding is on platform ${unused.join(', ')}`,
      todo: 'name it in the chat of a binding',
    };
  const list = (names: Iterable<string>): string => [...names].join(', ');
  const web = [...bindings.values()].some(({ chat }) => chat.platform === 'web') ? ['web'] : [];
  return {
    verdict: 'ok',
    what: `configuration: binding ${list(bindings.keys())} on ${list([...web, ...platforms.keys()])}`,
  };
}

/** A line as the registry says it: `FILE:LINE: what is wrong; what to write instead`. */
export function problemFinding(line: string): Finding {
  const [what = '', ...rest] = line.split('; ');
  return { verdict: 'fail', what: `configuration: ${what}`, ...(rest.length === 0 ? {} : { todo: rest.join('; ') }) };
}
