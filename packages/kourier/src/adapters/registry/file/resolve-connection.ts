import type { SpaceConnection } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import type { Report } from './problem.ts';
import { headerFault } from './resolve-headers.ts';
import { resolveSecret } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import { speaker } from './speaker.ts';

interface SpaceConnectionSpec {
  readonly url: string;
  readonly id: string;
  readonly keySecretRef?: SecretReference;
}

const connectionSpec = ({ value }: Checked): SpaceConnectionSpec => value['spec'] as SpaceConnectionSpec;

export function connectionReferences(document: Checked): readonly SecretReference[] {
  const { keySecretRef } = connectionSpec(document);
  return keySecretRef === undefined ? [] : [keySecretRef];
}

export function resolveConnection(document: Checked, secrets: Secrets, report: Report): SpaceConnection {
  const { url, id, keySecretRef } = connectionSpec(document);
  const say = speaker(document, report);
  const path = ['spec', 'keySecretRef'];
  return {
    ...{ name: document.name, url, id },
    ...(keySecretRef === undefined
      ? {}
      : { key: resolveSecret(keySecretRef, path, { fault: headerFault, secrets, say }) }),
  };
}
