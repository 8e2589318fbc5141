// An agent as a module, for the command line: npx kourier a2a serve examples/greeting.ts
import { AgentBuilder } from '@agentkourier/agent';

const greet = { id: 'greet', name: 'Greet', description: 'Asks for a name, and greets.', tags: ['small-talk'] };

export const agent = new AgentBuilder({ name: 'Greeter', description: 'Greets people.', version: '1.0.0' }).skill(
  greet,
  async function* ({ ask }) {
    yield `Hello, ${await ask('Who is there?')}.`;
  },
);
