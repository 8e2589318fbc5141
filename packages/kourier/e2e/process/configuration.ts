import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

/** Writes a file of configuration into a folder: a binding on the web for each agent, and the waits. Gives its path. */
export function writeConfiguration(
  folder: string,
  agents: ReadonlyMap<string, string>,
  timings: Readonly<Record<string, string | number>> = {},
  mode: 'direct' | 'public' = 'direct',
): string {
  const documents: object[] = [{ ...API, kind: 'Settings', metadata: { name: 'settings' }, spec: { timings } }];
  for (const [name, url] of agents) {
    const spec = { backend: name, identity: { userId: 'kourier' }, chat: { platform: 'web' } };
    documents.push({
      ...API,
      kind: 'AgentBackend',
      metadata: { name },
      spec: { dialect: 'a2a', url, egress: { mode } },
    });
    documents.push({ ...API, kind: 'Binding', metadata: { name }, spec });
  }
  const path = join(folder, 'kourier.yaml');
  writeFileSync(path, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  return path;
}
