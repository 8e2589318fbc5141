import { stringify } from 'yaml';
import type { Source } from './yaml-documents.ts';

/** What `kourier up` runs without `--config`: one web binding, `demo`, and the agent at this URL behind it. */
export function demoConfiguration(agentUrl: string): Source {
  const backend = {
    apiVersion: 'agentkourier.dev/v1alpha1',
    kind: 'AgentBackend',
    metadata: { name: 'demo' },
    spec: { dialect: 'a2a', url: agentUrl },
  };
  const binding = {
    apiVersion: 'agentkourier.dev/v1alpha1',
    kind: 'Binding',
    metadata: { name: 'demo' },
    spec: {
      backend: 'demo',
      identity: { userId: 'demo' },
      chat: { platform: 'web' },
      interactions: { questions: { timeout: '24h' }, toolApprovals: { timeout: '1h' } },
    },
  };
  return { file: 'built-in demo', text: [backend, binding].map((document) => stringify(document)).join('---\n') };
}
