import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { type ServedAgent, serveAgent, type Turn } from '@agentkourier/agent';
import { LineProcess } from '../e2e/process/line-process.ts';

const KOURIER = fileURLToPath(new URL('../bin/kourier.mjs', import.meta.url));
const compat = { legacyCompat: { enabled: true } };

/** `ask …` pauses with a question, `hold …` goes on until it is canceled, anything else is said again. */
async function* turn({ text, ask, signal }: Turn) {
  if (text.startsWith('ask')) yield `You said: ${await ask('Where?')}`;
  else if (text.startsWith('hold')) await new Promise((done) => signal.addEventListener('abort', done, { once: true }));
  else for (const word of text.match(/\S+\s*/g) ?? []) yield word;
}

interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
}

const json = (task: unknown) => Task.toJSON(task as Task) as TaskJson;
const textIn = (task: TaskJson) => task.artifacts?.[0]?.parts.map(({ text }) => text).join('');
const saying = (text: string, more: object = {}, configuration: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
    configuration,
  });

const agentDocument = (version: string, url: string): string => `---
apiVersion: agentkourier.dev/v1alpha1
kind: SpaceAgent
metadata: { name: echo-${version} }
spec: { space: interop, reach: inside, card: { url: ${url} } }
`;

describe('the official JavaScript SDK calls agents through the gateway of a Space', () => {
  const agents: ServedAgent[] = [];
  let folder = '';
  let space: LineProcess;
  let base = '';
  const closing: (() => unknown)[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kourier-interop-'));
    const documents = ['apiVersion: agentkourier.dev/v1alpha1\nkind: Space\nmetadata: { name: interop }\nspec: {}\n'];
    for (const version of ['1.0', '0.3'] as const) {
      const agent = await serveAgent({ name: 'Echo', description: 'Says it again.', turn }, { protocols: [version] });
      agents.push(agent);
      documents.push(agentDocument(version, agent.url));
    }
    await writeFile(join(folder, 'space.yaml'), documents.join(''));
    const args = ['space', 'serve', '--config', folder, '--data', join(folder, 'data'), '--port', '0'];
    space = new LineProcess({ after: (close) => void closing.push(close) }, KOURIER, ...args);
    base = `${(await space.printed(/ready on (\S+)/))[1]}/spaces/interop/agents`;
  });
  after(async () => {
    for (const close of closing) await close();
    for (const agent of agents) await agent.close();
    await rm(folder, { recursive: true });
  });

  for (const version of ['1.0', '0.3'] as const) {
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      it(`A2A ${version}, ${binding}: a message, a stream, a question, a cancel, a list, errors`, async () => {
        const client = await officialClient(`${base}/echo-${version}`, binding);
        assert.equal(client.protocolVersion, version);
        assert.equal(textIn(json(await client.sendMessage(saying('one two')))), 'one two');

        const told: string[] = [];
        for await (const event of client.sendMessageStream(saying('one two'))) {
          told.push(...Object.keys(StreamResponse.toJSON(event) as object));
        }
        assert.equal(told[0], 'task');
        assert.equal(told.filter((member) => member === 'artifactUpdate').length, 2);

        const asked = json(await client.sendMessage(saying('ask me')));
        assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
        const { id: taskId, contextId } = asked;
        const answered = json(await client.sendMessage(saying('here', { taskId, contextId })));
        assert.deepEqual([answered.id, textIn(answered)], [taskId, 'You said: here']);

        const { id } = json(await client.sendMessage(saying('hold on', {}, { returnImmediately: true })));
        const stream = client.resubscribeTask({ id, tenant: '' });
        assert.ok('task' in (StreamResponse.toJSON((await stream.next()).value as StreamResponse) as object));
        const canceled = json(await client.cancelTask({ id, tenant: '', metadata: undefined }));
        assert.equal(canceled.status.state, 'TASK_STATE_CANCELED');
        assert.equal(json(await client.getTask({ id, tenant: '' })).status.state, 'TASK_STATE_CANCELED');

        const missing = client.getTask({ id: 'none', tenant: '' });
        await assert.rejects(missing, (error: Error) => /TaskNotFound/.test(`${error.name} ${error.constructor.name}`));
      });
    }
  }
});

async function officialClient(url: string, binding: string): Promise<Client> {
  const cardResolver = new DefaultAgentCardResolver(compat);
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(compat), new RestTransportFactory(compat)],
    preferredTransports: [binding],
    cardResolver,
  });
  return factory.createFromAgentCard(await cardResolver.resolve(`${url}/`, '.well-known/agent-card.json'));
}
