import type { Backend, Binding, ChatPlatform, Configuration, SpaceConnection } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import type { Report } from './problem.ts';
import type { Documents, Product } from './product.ts';
import { type ConfigurationPlace, type Reading, readProduct } from './read-product.ts';
import { backendSpec, resolveBackend } from './resolve-backend.ts';
import { bindingReferences, resolveBinding } from './resolve-binding.ts';
import { ChatPlaces } from './resolve-chat.ts';
import { connectionReferences, resolveConnection } from './resolve-connection.ts';
import { headerReferences } from './resolve-headers.ts';
import { checkOneApp, platformReferences, resolvePlatform } from './resolve-platform.ts';
import { resolveSettings, settingsFromSets } from './resolve-settings.ts';
import type { Secrets } from './secrets.ts';

/** What `kourier up` is configured with. */
export const COURIER: Product<Configuration> = {
  command: 'kourier up',
  references(document) {
    if (document.kind === 'AgentBackend') return headerReferences(backendSpec(document).headers ?? []);
    if (document.kind === 'ChatPlatform') return platformReferences(document);
    if (document.kind === 'SpaceConnection') return connectionReferences(document);
    return document.kind === 'Binding' ? bindingReferences(document) : [];
  },
  resolve,
};

/** One reading, by itself. */
export function readConfiguration(place: ConfigurationPlace): Promise<Reading<Configuration>> {
  return readProduct(COURIER)(place);
}

function resolve({ of, misshaped, secrets, sets, report }: Documents): Configuration {
  const backends = new Map<string, Backend>();
  for (const document of of('AgentBackend')) backends.set(document.name, resolveBackend(document, secrets, report));
  const connections = new Map<string, SpaceConnection>();
  for (const document of of('SpaceConnection'))
    connections.set(document.name, resolveConnection(document, secrets, report));
  const platforms = platformsOf(of('ChatPlatform'), secrets, report);
  const places = new ChatPlaces(new Set(platforms.keys()), misshaped('ChatPlatform'), report);
  const known = {
    backends: { known: backends, misshaped: misshaped('AgentBackend') },
    connections: { known: connections, misshaped: misshaped('SpaceConnection') },
    ...{ places, secrets },
  };
  const bindings = new Map<string, Binding>();
  for (const document of of('Binding')) {
    const binding = resolveBinding(document, known, report);
    if (binding !== undefined) bindings.set(document.name, binding);
  }
  const settings = resolveSettings(of('Settings')[0], settingsFromSets(sets, report), report);
  return { bindings, platforms, ...settings };
}

function platformsOf(
  documents: readonly Checked[],
  secrets: Secrets,
  report: Report,
): ReadonlyMap<string, ChatPlatform> {
  const resolved = documents.map((document) => ({ document, platform: resolvePlatform(document, secrets, report) }));
  checkOneApp(resolved, report);
  return new Map(resolved.map(({ platform }) => [platform.name, platform]));
}
