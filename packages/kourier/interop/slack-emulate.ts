import type { WebAPICallResult } from '@slack/web-api';
import { createEmulator } from 'emulate';
import { ownPort } from '../../agent/test/own-port.ts';
import { SCOPES } from '../contract/slack/app.ts';
import type { SlackBench } from '../contract/slack/contract-case.ts';
import { webClient } from '../contract/slack/official-clients.ts';

const WIDE = 'xoxb-wide';
const NARROW = 'xoxb-narrow';

/** The foreign Slack, with strict scopes. It cannot choose a free port by itself. */
export async function startEmulate(): Promise<SlackBench> {
  const port = await ownPort();
  const emulator = await createEmulator({
    service: 'slack',
    port,
    seed: {
      slack: {
        users: [
          { name: 'ada', real_name: 'Ada Lovelace', email: 'ada@example.com' },
          { name: 'bob', real_name: 'Bob Ross', email: 'bob@example.com' },
        ],
        channels: [{ name: 'ops' }],
        bots: [{ name: 'kourier' }],
        strict_scopes: true,
        tokens: [
          { token: WIDE, user: 'ada', scopes: [...SCOPES] },
          { token: NARROW, user: 'ada', scopes: ['chat:write'] },
        ],
      },
    },
  });
  const apiUrl = `http://127.0.0.1:${port}/api/`;
  const web = webClient(apiUrl, WIDE);
  const channels = (await web.conversations.list()).channels ?? [];
  const users = (await web.users.list({})).members ?? [];
  return {
    web,
    narrow: webClient(apiUrl, NARROW),
    stranger: webClient(apiUrl, 'xoxb-nobody'),
    channel: channels.find(({ name }) => name === 'ops')?.id ?? '',
    user: users.find(({ name }) => name === 'bob')?.id ?? '',
    async trigger() {
      const made: WebAPICallResult & { readonly trigger_id?: string } = await web.apiCall(
        'views.generateTriggerId',
        {},
      );
      return made.trigger_id ?? '';
    },
    close: () => emulator.close(),
  };
}
