import type { SpaceConfiguration } from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import type { Documents, Product } from '../product.ts';
import { type ConfigurationPlace, type Reading, readProduct } from '../read-product.ts';
import type { Kind } from '../schema/kinds.ts';
import { resolveAccess, saysWhoMayCall } from './resolve-access.ts';
import { credentialReferences, resolveCredential } from './resolve-credential.ts';
import { resolveDialer } from './resolve-dialer.ts';
import { resolveGateway } from './resolve-gateway.ts';
import { resolveSpace, spaceFiles, spaceReferences } from './resolve-space.ts';
import { agentFiles, resolveAgents } from './resolve-space-agent.ts';

/** What `kourier space serve` is configured with. */
export const SPACE_GATEWAY: Product<SpaceConfiguration> = {
  command: 'kourier space serve',
  references(document) {
    if (document.kind === 'Credential') return credentialReferences(document);
    return document.kind === 'Space' ? spaceReferences(document) : [];
  },
  attached(document) {
    if (document.kind === 'SpaceAgent') return agentFiles(document);
    return document.kind === 'Space' ? spaceFiles(document) : [];
  },
  resolve,
};

/** One reading, by itself. */
export function readSpaceConfiguration(place: ConfigurationPlace): Promise<Reading<SpaceConfiguration>> {
  return readProduct(SPACE_GATEWAY)(place);
}

function resolve(documents: Documents, before: SpaceConfiguration | undefined): SpaceConfiguration {
  const { of, secrets, report } = documents;
  const byName = <Value>(kind: Kind, value: (document: Checked) => Value): ReadonlyMap<string, Value> =>
    new Map(of(kind).map((document) => [document.name, value(document)]));
  // Taking the last key away must not open the door to everybody.
  const isLocal = !saysWhoMayCall(documents) && before?.access === undefined;
  const spaces = byName('Space', (document) => resolveSpace(document, documents));
  const credentials = byName('Credential', (document) => resolveCredential(document, secrets, report));
  const dialers = byName('Dialer', (document) => resolveDialer(document, report));
  return {
    ...resolveGateway(documents, isLocal),
    ...{ spaces, credentials, dialers },
    agents: resolveAgents(documents, { spaces, credentials, dialers }),
    ...(isLocal ? {} : { access: resolveAccess(documents, spaces) }),
  };
}
