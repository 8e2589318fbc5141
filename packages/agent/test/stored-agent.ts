// An agent in a process of its own, to be killed: `stored-agent.ts sqlite|postgres WHERE LOG`. It prints its address, and
// writes into LOG what must happen once.
import { appendFileSync } from 'node:fs';
import { type AnswerTurn, PostgresTaskStore, SqliteTaskStore, serveAgent } from '../src/index.ts';

const [kind, where = '', log = ''] = process.argv.slice(2);

const turn: AnswerTurn = async function* ({ text, once, ask, tool, remember, signal }) {
  const done = (what: string) => appendFileSync(log, `${what}\n`);
  yield `${text}: `;
  if (text === 'work') {
    await new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        done('aborted');
        reject(signal.reason);
      });
    });
  }
  await once('first', () => done('once'));
  const name = await ask('Who?');
  yield `${name} `;
  const { at } = await tool({ name: 'look', args: {} }, () => {
    done('tool');
    return { at: 'there' };
  });
  const age = await ask('How old?');
  remember({ name, age });
  yield `${at} ${age}`;
};

const store =
  kind === 'sqlite'
    ? new SqliteTaskStore({ path: where })
    : new PostgresTaskStore({ url: where, leaseMs: 4_000, lookEveryMs: 20 });
const { url } = await serveAgent({ name: 'Stored', description: 'Keeps its tasks.', turn }, { store });
process.stdout.write(`${url}\n`);
