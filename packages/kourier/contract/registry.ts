import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { DEFAULT_TIMINGS } from '../src/core/timings.ts';
import type { Binding, Configuration, Registry } from '../src/ports/registry.ts';

/** What a registry adapter brings for its contract: a registry over documents, and a way to change them. */
export interface RegistryUnderTest {
  readonly registry: Registry;
  /** Makes these documents the whole configuration. */
  write(documents: readonly object[]): Promise<void>;
  /** Resolves when the adapter has refused a change since the last call. */
  refused(): Promise<void>;
}

const API = 'agentkourier.dev/v1alpha1';

const backend = (name: string, spec: object = {}): object => ({
  apiVersion: API,
  kind: 'AgentBackend',
  metadata: { name },
  spec: { dialect: 'a2a', url: 'http://127.0.0.1:9001/base/', ...spec },
});

const binding = (name: string, spec: object = {}): object => ({
  apiVersion: API,
  kind: 'Binding',
  metadata: { name },
  spec: { backend: 'research', identity: { userId: 'alice' }, chat: { platform: 'web' }, ...spec },
});

const WEB = { platform: 'web', channels: [], directMessages: false };

const slack = (spec: object): object => ({
  apiVersion: API,
  kind: 'ChatPlatform',
  metadata: { name: 'acme' },
  spec: { slack: spec },
});

const secret = (values: object): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'agent' },
  stringData: values,
});

const settings = (spec: object): object => ({
  apiVersion: API,
  kind: 'Settings',
  metadata: { name: 'settings' },
  spec,
});

const nextChange = (registry: Registry): Promise<Configuration> =>
  new Promise((resolve) => {
    const end = registry.watch((configuration) => {
      end();
      resolve(configuration);
    });
  });

const bindingOf = (configuration: Configuration, name: string): Binding => {
  const found = configuration.bindings.get(name);
  assert.ok(found, `binding ${name}`);
  return found;
};

/** Every promise of the port `Registry`, for one adapter. */
export function registryContract(
  adapter: string,
  begin: (t: TestContext, documents: readonly object[]) => Promise<RegistryUnderTest>,
): void {
  describe(`registry contract: ${adapter}`, () => {
    test('what is absent has its default, and an interaction that is absent is not allowed', async (t) => {
      const { registry } = await begin(t, [backend('research'), binding('ops')]);
      const { bindings, platforms, timings, store } = registry.current();
      assert.equal(platforms.size, 0);
      assert.deepEqual(
        [...bindings.values()],
        [
          {
            name: 'ops',
            backend: {
              name: 'research',
              dialect: 'a2a',
              url: 'http://127.0.0.1:9001/base/',
              headers: [],
              egress: 'direct',
            },
            identity: { userId: 'alice' },
            chat: WEB,
            interactions: {},
          },
        ],
      );
      assert.deepEqual(timings, DEFAULT_TIMINGS);
      assert.deepEqual(store, { kind: 'sqlite' });
      assert.deepEqual(registry.problems(), []);
    });

    test('everything that can be said is resolved', async (t) => {
      const headers = [
        { name: 'X-Team', value: 'ops' },
        { name: 'X-Api-Key', valueFrom: { secretKeyRef: { name: 'agent', key: 'api-key' } } },
      ];
      const { registry } = await begin(t, [
        secret({ token: 't-1', 'api-key': 'k-1', hook: 'what-signs-events' }),
        backend('research', {
          dialect: 'kagent-v1',
          headers,
          card: { url: 'https://agents.example/card' },
          url: 'https://agents.example/base/',
          egress: { mode: 'public' },
        }),
        binding('ops', {
          agent: { namespace: 'kagent', name: 'k8s-agent' },
          identity: { tokenSecretRef: { name: 'agent', key: 'token' } },
          hooks: { generic: { signingSecretRef: { name: 'agent', key: 'hook' } } },
          interactions: { questions: { timeout: '24h' }, toolApprovals: { approvers: ['U123'], timeout: '600ms' } },
        }),
        settings({
          timings: { streamDropDelay: '50ms', cancelAttempts: 3 },
          store: { sqlite: { path: 'threads.db' } },
        }),
      ]);
      const { bindings, timings, store } = registry.current();
      assert.deepEqual(bindings.get('ops'), {
        name: 'ops',
        backend: {
          name: 'research',
          dialect: 'kagent-v1',
          url: 'https://agents.example/base/',
          cardUrl: 'https://agents.example/card',
          headers: [
            { name: 'X-Team', value: 'ops' },
            { name: 'X-Api-Key', value: 'k-1' },
          ],
          egress: 'public',
        },
        agent: { namespace: 'kagent', name: 'k8s-agent' },
        identity: { token: 't-1' },
        chat: WEB,
        interactions: { questions: { timeoutMs: 86_400_000 }, toolApprovals: { timeoutMs: 600, approvers: ['U123'] } },
        hooks: { generic: { secret: 'what-signs-events' } },
      });
      assert.deepEqual(timings, { ...DEFAULT_TIMINGS, streamDropDelayMs: 50, cancelAttempts: 3 });
      assert.deepEqual(store, { kind: 'sqlite', path: 'threads.db' });
    });

    test('a Slack platform has the tokens of its mode, and bindings have their places on it', async (t) => {
      const ref = (key: string): object => ({ name: 'agent', key });
      const app = { botTokenSecretRef: ref('bot'), appTokenSecretRef: ref('app'), signingSecretRef: ref('signing') };
      const tokens = { bot: 'xoxb-1-bot-token', app: 'xapp-1-app-token', signing: 'signing-secret-of-32-digits' };
      const documents = (more: object): object[] => [
        secret(tokens),
        slack({ ...app, ...more }),
        backend('research'),
        binding('ops', { chat: { platform: 'acme', channels: ['C0OPS', 'G0SECRET'] } }),
        binding('people', { chat: { platform: 'acme', directMessages: true, channels: ['C0PEOPLE'] } }),
        binding('page'),
      ];
      const { registry, write } = await begin(t, documents({ mode: 'socket' }));
      const common = { kind: 'slack', name: 'acme', botToken: tokens.bot };
      const socket = { ...common, mode: 'socket', appToken: tokens.app, apiUrl: 'https://slack.com/api/' };
      assert.deepEqual([...registry.current().platforms], [['acme', socket]]);
      const { bindings } = registry.current();
      const chatOf = (name: string): object | undefined => bindings.get(name)?.chat;
      assert.deepEqual(chatOf('ops'), { platform: 'acme', channels: ['C0OPS', 'G0SECRET'], directMessages: false });
      assert.deepEqual(chatOf('people'), { platform: 'acme', channels: ['C0PEOPLE'], directMessages: true });
      assert.deepEqual(chatOf('page'), WEB);
      const change = nextChange(registry);
      await write(documents({ mode: 'http', apiUrl: 'http://127.0.0.1:9/api' }));
      const http = { ...common, mode: 'http', signingSecret: tokens.signing, apiUrl: 'http://127.0.0.1:9/api/' };
      assert.deepEqual((await change).platforms.get('acme'), http);
    });

    test('a token of a platform that alone has changed reaches it', async (t) => {
      const documents = (bot: string): object[] => {
        const botTokenSecretRef = { name: 'agent', key: 'bot' };
        const appTokenSecretRef = { name: 'agent', key: 'app' };
        return [
          secret({ bot, app: 'xapp-1-app-token' }),
          slack({ mode: 'socket', botTokenSecretRef, appTokenSecretRef }),
          backend('research'),
          binding('ops', { chat: { platform: 'acme', channels: ['C0OPS'] } }),
        ];
      };
      const { registry, write } = await begin(t, documents('xoxb-1-bot-token'));
      const change = nextChange(registry);
      await write(documents('xoxb-2-bot-token'));
      assert.equal((await change).platforms.get('acme')?.botToken, 'xoxb-2-bot-token');
    });

    test('a binding names a Space in place of a backend: an agent, a skill, or whom the message is for', async (t) => {
      const connection = {
        ...{ apiVersion: 'agentkourier.dev/v1alpha1', kind: 'SpaceConnection', metadata: { name: 'work' } },
        spec: { url: 'https://space.example', id: 'space-demo', keySecretRef: { name: 'agent', key: 'key' } },
      };
      const to = (name: string, space: object): object => ({
        ...{ apiVersion: 'agentkourier.dev/v1alpha1', kind: 'Binding', metadata: { name } },
        spec: { space: { name: 'work', ...space }, chat: { platform: 'web' } },
      });
      const { registry } = await begin(t, [
        secret({ key: 'sk-1' }),
        connection,
        to('one', { agent: 'weather' }),
        to('some', { skill: 'forecast' }),
        to('any', { route: {} }),
      ]);
      const space = { name: 'work', url: 'https://space.example', id: 'space-demo', key: 'sk-1' };
      const { bindings } = registry.current();
      assert.deepEqual(bindings.get('one'), {
        ...{ name: 'one', chat: WEB, interactions: {} },
        space: { ...space, pick: { by: 'agent', agentId: 'weather' } },
      });
      assert.deepEqual(bindings.get('some')?.space?.pick, { by: 'skill', skillId: 'forecast' });
      assert.deepEqual(bindings.get('any')?.space?.pick, { by: 'message' });
    });

    test('a change is taken up, and every watcher is told what is then current', async (t) => {
      const { registry, write } = await begin(t, [backend('research'), binding('ops')]);
      const before = registry.current();
      const told = [nextChange(registry), nextChange(registry)];
      await write([backend('research'), binding('ops', { identity: { userId: 'bob' } }), binding('sre')]);
      const [one, other] = await Promise.all(told);
      assert.equal(one, other);
      assert.equal(one, registry.current());
      assert.deepEqual(bindingOf(registry.current(), 'ops').identity, { userId: 'bob' });
      assert.deepEqual([...registry.current().bindings.keys()].sort(), ['ops', 'sre']);
      assert.deepEqual([...before.bindings.keys()], ['ops'], 'a configuration is immutable');
    });

    test('D8 a secret that alone has changed reaches the bindings that refer to it', async (t) => {
      const documents = (token: string): object[] => [
        secret({ token }),
        backend('research'),
        binding('ops', { identity: { tokenSecretRef: { name: 'agent', key: 'token' } } }),
      ];
      const { registry, write } = await begin(t, documents('t-1'));
      const change = nextChange(registry);
      await write(documents('t-2'));
      assert.deepEqual(bindingOf(await change, 'ops').identity, { token: 't-2' });
    });

    test('a bad change is refused with its reasons, the last good one stays, and the next good one is taken up', async (t) => {
      const { registry, write, refused } = await begin(t, [backend('research'), binding('ops')]);
      const good = registry.current();
      let told = 0;
      const end = registry.watch(() => {
        told += 1;
      });
      await write([backend('research'), binding('ops', { backend: 'reserch' })]);
      await refused();
      assert.equal(registry.current(), good);
      assert.equal(registry.problems().length, 1);
      assert.match(registry.problems().join(), /Binding ops: backend reserch is not known; write research$/);
      assert.equal(told, 0);
      end();
      const change = nextChange(registry);
      await write([backend('research'), binding('sre')]);
      await change;
      assert.deepEqual([...registry.current().bindings.keys()], ['sre']);
      assert.deepEqual(registry.problems(), []);
    });

    test('a watcher that has ended is not told, and does not end another', async (t) => {
      const { registry, write } = await begin(t, [backend('research'), binding('ops')]);
      let told = 0;
      const count = (): void => {
        told += 1;
      };
      const end = registry.watch(count);
      registry.watch(count);
      end();
      end();
      const change = nextChange(registry);
      await write([backend('research'), binding('sre')]);
      await change;
      assert.equal(told, 1);
    });
  });
}
