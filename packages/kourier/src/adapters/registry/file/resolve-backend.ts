import type { Backend } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { isHeaderValue } from './formats.ts';
import { quoted, type Report } from './problem.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import type { Path } from './yaml-documents.ts';

interface AgentBackendSpec {
  readonly dialect: 'a2a' | 'kagent-v1';
  readonly url: string;
  readonly card?: { readonly url: string };
  readonly headers?: readonly Header[];
  readonly egress?: { readonly mode: 'direct' | 'public' };
}

interface Header {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: SecretReference };
}

export const backendSpec = ({ value }: Checked): AgentBackendSpec => value['spec'] as AgentBackendSpec;

export function resolveBackend(document: Checked, secrets: Secrets, report: Report): Backend {
  const { dialect, url, card, headers = [], egress } = backendSpec(document);
  const say = speaker(document, report);
  const names = new Set<string>();
  headers.forEach(({ name }, index) => {
    if (names.has(name.toLowerCase()))
      say(['spec', 'headers', index, 'name'], `header ${quoted(name)} stands here twice`, 'keep one of them');
    names.add(name.toLowerCase());
  });
  if (egress?.mode === 'public') {
    requireHttps('url', url, ['spec', 'url'], say);
    if (card !== undefined) requireHttps('card.url', card.url, ['spec', 'card', 'url'], say);
  }
  return {
    name: document.name,
    dialect,
    url,
    ...(card === undefined ? {} : { cardUrl: card.url }),
    headers: headers.map(({ name, value, valueFrom }, index) => {
      const path = ['spec', 'headers', index, 'valueFrom', 'secretKeyRef'];
      return {
        name,
        value: valueFrom === undefined ? (value ?? '') : headerSecret(valueFrom.secretKeyRef, path, secrets, say),
      };
    }),
    egress: egress?.mode ?? 'direct',
  };
}

function requireHttps(field: string, url: string, path: Path, say: Say): void {
  if (new URL(url).protocol === 'https:') return;
  say(path, `${field} is not https, and egress mode public calls nothing else`, 'write https://, or mode direct');
}

export type Say = (path: Path, what: string, write: string) => void;

/** Reports about a document: its title before what is wrong, and the place. */
export function speaker({ kind, name, file, line }: Checked, report: Report): Say {
  return (path, what, write) => report({ file, line: line(path), what: `${kind} ${quoted(name)}: ${what}`, write });
}

/** A secret that a header will carry. What is wrong with it is reported at the reference; the value is never named. */
export function headerSecret(reference: SecretReference, path: Path, secrets: Secrets, say: Say): string {
  const secret = secrets(reference);
  if (secret.kind === 'missing') {
    say(path, secret.what, secret.write);
    return '';
  }
  const called = `the value of secret ${quoted(reference.name)}, key ${quoted(reference.key)},`;
  if (secret.text === '') say(path, `${called} is empty`, 'write one');
  else if (!isHeaderValue(secret.text))
    say(path, `${called} is not fit for a header`, 'write visible ASCII in one line, at most 8192 characters');
  return secret.text;
}
