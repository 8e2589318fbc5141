// A streaming agent that asks before it acts. README.md beside this file says how to run it, and docs/building-agents.md goes on.
import { AgentBuilder, serveAgent } from '@agentkourier/agent';

const restart = {
  id: 'restart',
  name: 'Restart a service',
  description: 'Restarts a service when a person approves.',
  tags: ['operations'],
};

const agent = new AgentBuilder({ name: 'Ops', description: 'Restarts services, after asking.', humanInTheLoop: true });
agent.skill(restart, async function* ({ text, approve, tool, signal }) {
  const service = /\b(api|db|web)\b/.exec(text)?.[1];
  if (service === undefined) return yield 'Which one: api, db or web?';
  yield `I will restart **${service}**. `;
  const call = { name: 'restart_service', args: { service } };
  if (!(await approve(call, `Restart ${service}?`))) return yield 'I left it alone.';
  await tool(call, async () => ({ restarted: !signal.aborted }));
  yield 'It is up again.';
});

const { url } = await serveAgent(agent, { port: Number(process.env['PORT'] ?? 9001) });
process.stdout.write(`Ops is ready on ${url}\n`);
