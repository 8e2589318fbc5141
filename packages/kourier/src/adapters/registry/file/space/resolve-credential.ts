import type { UpstreamCredential } from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import { quoted, type Report } from '../problem.ts';
import { type HeaderSpec, headerReferences, resolveHeaders } from '../resolve-headers.ts';
import type { SecretReference, Secrets } from '../secrets.ts';
import { speaker } from '../speaker.ts';

interface CredentialSpec {
  readonly origins: readonly string[];
  readonly headers: readonly HeaderSpec[];
}

const credentialSpec = ({ value }: Checked): CredentialSpec => value['spec'] as CredentialSpec;

export function credentialReferences(document: Checked): readonly SecretReference[] {
  return headerReferences(credentialSpec(document).headers);
}

export function resolveCredential(document: Checked, secrets: Secrets, report: Report): UpstreamCredential {
  const { origins, headers } = credentialSpec(document);
  const say = speaker(document, report);
  for (const [index, { name }] of headers.entries())
    if (/^a2a-/i.test(name))
      say(['spec', 'headers', index, 'name'], `header ${quoted(name)} is the gateway's own`, 'leave it out');
  return {
    name: document.name,
    origins: origins.map((origin) => new URL(origin).origin),
    headers: resolveHeaders(headers, secrets, say),
  };
}
