import { agentContract } from '../../../contract/agent.ts';
import { agentUnderTest, PUBLIC_ADDRESS } from '../../../test/agent-over-http.ts';

const kagent = {
  path: '',
  backend: { dialect: 'kagent-v1' },
  binding: { agent: { namespace: 'kagent', name: 'k8s' } },
} as const;

agentContract('A2A 1.0', (timings) => agentUnderTest('1.0', { timings }), { lists: true });
agentContract('A2A 0.3', (timings) => agentUnderTest('0.3', { timings }), { lists: false });
agentContract('kagent-v1', (timings) => agentUnderTest('1.0', { ...kagent, timings }), { lists: true });

const far = { looked: [[PUBLIC_ADDRESS]] } as const;
agentContract('egress public', (timings) => agentUnderTest('1.0', { ...far, timings }), { lists: true });
