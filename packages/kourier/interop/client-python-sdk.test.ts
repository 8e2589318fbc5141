import { after, before, describe } from 'node:test';
import { whyNoPython } from '../../agent/interop/python-environment.ts';
import { clientOperations, type Lack } from './client-operations.ts';
import { type PythonProcess, pythonProcess } from './python-process.ts';

const missing = await whyNoPython();
if (missing !== undefined && process.env['CI'] !== undefined) throw new Error(missing);
/** The first of them may have to make the environment. */
const options = { timeout: 1_800_000, ...(missing === undefined ? {} : { skip: missing }) };

const NONE: readonly Lack[] = [];

for (const { version, sdk, rpcLacks = NONE, restLacks = NONE } of [
  { version: '1.0', sdk: '1' },
  { version: '0.3', sdk: '1', restLacks: ['file-bytes', 'push-configs', 'stream-errors'] },
  {
    version: '0.3',
    sdk: '0.3',
    rpcLacks: ['snapshots', 'quick-answers'],
    restLacks: ['snapshots', 'quick-answers', 'push-configs', 'stream-errors', 'error-codes'],
  },
] as const) {
  for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
    describe(`the client and an agent of the official Python SDK ${sdk}, A2A ${version}, ${binding}`, options, () => {
      let agent: PythonProcess | undefined;
      before(async () => {
        agent = await pythonProcess(sdk === '1' ? 'a2a_agent.py' : 'a2a_agent_03.py', [version, binding], sdk);
      });
      after(() => agent?.close());
      const url = () => agent?.url ?? '';
      const release = async () => {
        await fetch(`${url()}/release`, { method: 'POST' });
      };
      clientOperations({
        version,
        binding,
        agent: async () => ({ url: url(), release }),
        lacks: new Set(binding === 'JSONRPC' ? rpcLacks : restLacks),
      });
    });
  }
}
