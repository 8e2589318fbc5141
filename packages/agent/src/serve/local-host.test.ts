import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { serve } from '../../test/served-agent.ts';
import type { ServeOptions } from './serve-agent.ts';

async function* nothing() {}

/** The status of the list of all tasks, asked for under a name of the host, as the page of a browser would. */
function listAs(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${url}/a2a/v1/tasks`,
      { agent: false, headers: { host, 'a2a-version': '1.0' } },
      (response) => resolve(response.resume().statusCode),
    );
    asked.on('error', reject).end();
  });
}

test('a web page whose name was made to lead to this machine reads nothing of an agent that nothing guards', async (t) => {
  const agent = await serve(t, nothing);
  const { port } = new URL(agent.url);
  for (const host of [`rebound.example:${port}`, 'rebound.example', `127.0.0.1.rebound.example:${port}`, 'localhost@x'])
    assert.equal(await listAs(agent.url, host), 403, host);
  for (const host of [`127.0.0.1:${port}`, 'localhost', `LOCALHOST.:${port}`, '127.1.2.3', `[::1]:${port}`])
    assert.equal(await listAs(agent.url, host), 200, host);
});

test('its public name may be called, and where it is asked who calls, or the network is open to it, any name', async (t) => {
  const ask = async (options: ServeOptions, host: string) => listAs((await serve(t, nothing, options)).url, host);
  const publicUrl = 'https://agents.example/ops';
  assert.equal(await ask({ publicUrl }, 'agents.example'), 200);
  assert.equal(await ask({ publicUrl }, 'agents.example:443'), 200);
  assert.equal(await ask({ publicUrl }, 'others.example'), 403);
  assert.equal(await ask({ authenticate: () => ({ id: 'alice' }) }, 'others.example'), 200);
  assert.equal(await ask({ inbound: async () => undefined }, 'others.example'), 401);
});
