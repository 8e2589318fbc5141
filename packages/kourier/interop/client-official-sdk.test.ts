import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client, type ClientOptions } from '@agentkourier/agent';
import { type CalledPeer, clientOperations, connected } from './client-operations.ts';
import { sdkAgentForClient } from './sdk-agent-for-client.ts';

for (const [version, bindings] of [
  ['1.0', ['JSONRPC', 'HTTP+JSON', 'GRPC']],
  ['0.3', ['JSONRPC', 'HTTP+JSON']],
] as const) {
  for (const binding of bindings) {
    describe(`the client and an agent of the official JavaScript SDK, A2A ${version}, ${binding}`, () => {
      const spoken = { version, binding };
      const peer: CalledPeer = {
        ...spoken,
        agent: async (t) => {
          const agent = await sdkAgentForClient(spoken);
          t.after(() => agent.close());
          return { url: agent.url, origin: agent.origin, release: () => agent.executor.release() };
        },
        lacks: new Set(version === '0.3' && binding === 'HTTP+JSON' ? ['part-members'] : []),
      };
      clientOperations(peer);

      it('whoever is not known gets the card that all get', async (t) => {
        const { client } = await connected(peer, t);
        assert.equal((await client.getExtendedAgentCard()).name, 'Official');
      });

      it("the credentials that the SDK's card asks for are the ones that it takes", async (t) => {
        const agent = await sdkAgentForClient(spoken, {
          securitySchemes: {
            login: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
            key: { apiKeySecurityScheme: { location: 'header', name: 'x-key' } },
          },
          securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { login: { list: [] } } }],
        });
        t.after(() => agent.close());
        const options: ClientOptions = { prefer: { version }, credentialOrigins: [agent.origin] };
        await assert.rejects(Client.connect(agent.url, options), {
          name: 'CredentialsError',
          message: /"login" \(http bearer/,
        });
        const client = await Client.connect(agent.url, { ...options, credentials: { login: { token: 'known' } } });
        assert.equal((await client.getExtendedAgentCard()).name, 'Official, in full');
      });
    });
  }
}
