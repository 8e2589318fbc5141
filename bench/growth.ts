import type { NoticeEntry } from '../packages/kourier/src/core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../packages/kourier/src/core/thread/ids.ts';
import { Carrying } from './carrying.ts';
import { cpuMs, type Finding, interleaved, type Measure, mustEqual } from './measure.ts';
import { type Started, startAgent } from './processes.ts';

/** What is compared: ten times as much may cost at most twelve times as much. */
const FEW = 2_000;
const MANY = 20_000;
const GOAL = 12;

/** Cost must follow the size: of one answer, of its tool calls, of what a thread has behind it. */
export const growth: Measure = {
  name: 'growth',
  async run(quick): Promise<readonly Finding[]> {
    const [few, many] = quick ? [FEW / 10, MANY / 10] : [FEW, MANY];
    const agent = await startAgent();
    try {
      return [
        await ofTurns(agent, 'chunks', [few, many], quick, 'chunks of one answer'),
        await ofTurns(agent, 'steps', [few, many], quick, 'tool calls of one turn'),
        await ofHistory(agent, [few, many], quick),
      ];
    } finally {
      agent.end();
    }
  },
};

type Sizes = readonly [few: number, many: number];

/** A turn with so much in it, carried. */
async function ofTurns(agent: Started, kind: string, sizes: Sizes, quick: boolean, what: string): Promise<Finding> {
  const [few, many] = await Promise.all(sizes.map((size) => Carrying.to(`${agent.said}/${kind}/${size}`)));
  if (!few || !many) throw new Error('two couriers');
  const carried = (carrying: Carrying, size: number) => () =>
    cpuMs(async () => {
      const { characters, steps } = await carrying.carry();
      mustEqual(characters, size * 'chunk 000000 '.length, 'characters of an answer');
      if (kind === 'steps') mustEqual(steps, size, 'steps of a turn');
    });
  try {
    const cost = await interleaved(quick ? 1 : 5, { few: carried(few, sizes[0]), many: carried(many, sizes[1]) });
    return finding(cost, sizes, what);
  } finally {
    await few.end();
    await many.end();
  }
}

/** One more turn of a thread that has so much behind it, and a reader that asks for what is new. */
async function ofHistory(agent: Started, sizes: Sizes, quick: boolean): Promise<Finding> {
  const carrying = await Carrying.to(`${agent.said}/turns/10`);
  try {
    const [few, many] = [await withHistory(carrying, sizes[0]), await withHistory(carrying, sizes[1])];
    const oneMore = (thread: ThreadId) => () =>
      cpuMs(async () => {
        for (let turn = 0; turn < 20; turn += 1) {
          const before = await carrying.store.changes(thread, Number.MAX_SAFE_INTEGER);
          await carrying.carry(thread);
          const news = await carrying.store.changes(thread, before?.revision ?? 0);
          mustEqual(news?.entries.length, 2, 'entries that are new');
        }
      });
    const cost = await interleaved(quick ? 1 : 5, { few: oneMore(few), many: oneMore(many) });
    return finding(cost, sizes, 'entries of a thread, for 20 turns more');
  } finally {
    await carrying.end();
  }
}

/** A thread with one carried turn and so many notices. */
async function withHistory(carrying: Carrying, size: number): Promise<ThreadId> {
  const { thread } = await carrying.carry();
  await carrying.write(
    thread,
    Array.from(
      { length: size },
      (_, index): NoticeEntry => ({
        kind: 'notice',
        id: `past-${index}` as EntryId,
        turnId: 'past' as TurnId,
        code: 'no-output',
        text: 'Something that was said long ago, as long as such things are.',
      }),
    ),
  );
  return thread;
}

function finding(cost: Readonly<Record<'few' | 'many', number>>, [few, many]: Sizes, what: string): Finding {
  const [small, large] = [few.toLocaleString('en'), many.toLocaleString('en')];
  return {
    name: `cost of ${large} against ${small}: ${what}`,
    ratio: cost.many / cost.few,
    goal: GOAL,
    better: 'lower',
    detail: `${cost.many.toFixed(0)} ms, ${cost.few.toFixed(0)} ms of processor time`,
  };
}
