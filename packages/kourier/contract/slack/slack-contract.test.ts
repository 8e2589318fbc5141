import { fakeSlack } from './fake-slack.ts';
import { webClient } from './official-clients.ts';
import { newTrigger } from './people/payloads.ts';
import { slackContract } from './slack-contract.ts';
import { CHANNELS, PEOPLE } from './town.ts';

slackContract('our fake', async () => {
  const slack = await fakeSlack({ rateLimits: false });
  const { apiUrl, app, world } = slack;
  const web = webClient(apiUrl, app.botToken);
  const narrowed = await fakeSlack({ scopes: ['chat:write'] });
  return {
    web,
    narrow: webClient(narrowed.apiUrl, app.botToken),
    stranger: webClient(apiUrl, 'xoxb-nobody'),
    channel: CHANNELS.ops,
    user: PEOPLE.ada,
    trigger: async () => newTrigger(world, PEOPLE.ada),
    async close() {
      await slack.close();
      await narrowed.close();
    },
  };
});
