import type { ThreadId } from '../packages/kourier/src/core/thread/ids.ts';
import { Carrying } from './carrying.ts';
import { type Finding, interleaved, type Measure, mustEqual, wallMs } from './measure.ts';
import { officialClient, officialTurn } from './official-client.ts';
import { startAgent } from './processes.ts';

const CHUNKS = 50;
const CHARACTERS = CHUNKS * 'chunk 000000 '.length;
const THREADS = 64;

/** Whole turns with everything that is owed to them, against reading the same streams and keeping nothing. */
export const turns: Measure = {
  name: 'turns',
  async run(quick): Promise<readonly Finding[]> {
    const agent = await startAgent();
    try {
      return [
        await measured(`${agent.said}/tasks/${CHUNKS}`, quick, 'streams that end with the whole task'),
        await measured(
          `${agent.said}/turns/${CHUNKS}`,
          quick,
          'streams that end with a status, so that we read the task too',
        ),
      ];
    } finally {
      agent.end();
    }
  },
};

async function measured(url: string, quick: boolean, what: string): Promise<Finding> {
  const each = quick ? 2 : 15;
  const carrying = await Carrying.to(url);
  try {
    const threads = await Promise.all(Array.from({ length: THREADS }, () => carrying.carry()));
    const client = await officialClient(url);
    const msEach = await interleaved(quick ? 1 : 15, {
      ours: () =>
        msOfOne(
          each,
          threads.map(
            ({ thread }) =>
              () =>
                ourTurn(carrying, thread),
          ),
        ),
      theirs: () =>
        msOfOne(
          each,
          threads.map(() => theirLoop(client)),
        ),
    });
    return finding(msEach, what);
  } finally {
    await carrying.end();
  }
}

async function ourTurn(carrying: Carrying, thread: ThreadId): Promise<void> {
  mustEqual((await carrying.carry(thread)).characters, CHARACTERS, 'characters of an answer');
}

function theirLoop(client: Awaited<ReturnType<typeof officialClient>>): () => Promise<void> {
  let context = '';
  return async () => {
    const { contextId, characters } = await officialTurn(client, context);
    context = contextId;
    mustEqual(characters, CHARACTERS, "characters that the SDK's client read");
  };
}

async function msOfOne(each: number, loops: readonly (() => Promise<void>)[]): Promise<number> {
  const ms = await wallMs(() =>
    Promise.all(
      loops.map(async (turn) => {
        for (let index = 0; index < each; index += 1) await turn();
      }),
    ),
  );
  return ms / (loops.length * each);
}

function finding({ ours, theirs }: { readonly ours: number; readonly theirs: number }, what: string): Finding {
  return {
    name: `carried turns a second on SQLite, against the official SDK's client with no durability: ${what}`,
    ratio: theirs / ours,
    goal: 1,
    better: 'higher',
    detail: `${Math.round(1_000 / ours)} turns/s, ${Math.round(1_000 / theirs)} turns/s; ${THREADS} threads, turns of ${CHUNKS} chunks`,
  };
}
