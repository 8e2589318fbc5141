import type { WireVersion } from '../../contract/render-wire.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { Behaviour, Bytes, Call, Reaction } from './hostile-agent.ts';
import { forEver, KIB, MIB, message, nested, speaker, text, times, tool } from './says.ts';

/** What an agent does, and what its thread has come to in the end. */
export interface Case {
  readonly behaviour: Behaviour;
  /** The notices, in their order. */
  readonly notices: readonly string[];
  /** The whole answer. */
  readonly answer?: string;
  readonly steps?: number;
  /** A person stops the turn once the agent is in the middle of it. */
  readonly stopped?: true;
}

const JSON_BODY = { 'content-type': 'application/json' };

type Speaker = ReturnType<typeof speaker>;
type Script = (speak: Speaker, call: Call) => Bytes;

const canceled = (speak: Speaker): Reaction => ({ headers: JSON_BODY, bytes: [speak.result('canceled')] });

/** An agent that streams `script` to a send, and lets its task be cancelled. */
function streaming(wire: WireVersion, script: Script, rest: Omit<Case, 'behaviour'>, on: Behaviour['on'] = {}): Case {
  const speak = speaker(wire);
  const send = (call: Call): Reaction => ({ bytes: script(speak, call) });
  return { behaviour: { wire, on: { send, cancel: () => canceled(speak), ...on } }, ...rest };
}

const megabyte = 'x'.repeat(MIB);

/** The middle is where a reader holds all that it can of what it must not hold. */
async function* hundredMegabytes({ middle }: Call, before: string, after: string): AsyncGenerator<string> {
  yield before;
  yield* times(4, () => megabyte);
  await middle();
  yield* times(96, () => megabyte);
  yield after;
}

const HUGE = ['data: {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"task","x":"', '"}}\n\n'] as const;

const dense = (value: string): string => `data: {"jsonrpc":"2.0","id":1,"result":{"x":${value}}}\n\n`;

/** Too much at once. */
export function tooMuch(): Record<string, Case> {
  const limited = { notices: ['limit-exceeded'], answer: '' };
  const one = speaker('1.0');
  return {
    'a frame of 100 MB, 1.0': streaming('1.0', (_, call) => hundredMegabytes(call, ...HUGE), limited),
    'a frame of 100 MB, 0.3': streaming('0.3', (_, call) => hundredMegabytes(call, ...HUGE), limited),
    'a frame of 100 MB after others, and a task of 100 MB': streaming(
      '1.0',
      (speak, call) => hundredMegabytes(call, speak.task('working') + HUGE[0], HUGE[1]),
      limited,
      {
        get: (call) => ({ headers: JSON_BODY, bytes: hundredMegabytes(call, one.result('working').slice(0, -1), '') }),
      },
    ),
    'a line without an end': streaming('1.0', (_, call) => thenForEver(call, 'data: ', () => megabyte), limited),
    'comments for ever': streaming('0.3', (_, call) => thenForEver(call, '', () => ': still here\n'.repeat(KIB)), {
      notices: ['unreachable'],
    }),
    'a frame as deep as it is long': streaming('1.0', (_, call) => around(call, dense(nested(3.5 * MIB)), ''), limited),
    'a frame of small things only': streaming(
      '0.3',
      (_, call) => around(call, dense(`[${'{},'.repeat(2.5 * MIB)}{}]`), ''),
      limited,
    ),
    'an answer of 20 MB': streaming('1.0', longAnswer, {
      notices: ['limit-exceeded'],
      answer: 'x'.repeat(LIMITS.answerCharacters),
    }),
    'a message of 6 MB': streaming('0.3', ({ message: say }) => [say(message([text('x'.repeat(6 * MIB))]))], limited),
  };
}

/** Each event is small; there is no end of them. */
export function endless(): Record<string, Case> {
  return {
    'steps for ever': streaming(
      '1.0',
      (speak, call) =>
        thenForEver(call, speak.task('working'), (index) =>
          speak.chunk([...times(100, (step) => tool('call', `c${index}-${step}`, {}))]),
        ),
      {
        notices: ['limit-exceeded'],
        steps: LIMITS.toolParts,
      },
    ),
    'steps of 1 MB for ever': streaming(
      '1.0',
      (speak, call) =>
        thenForEver(call, speak.task('working'), (index) =>
          speak.chunk([tool('call', `c${index}`, { words: megabyte })]),
        ),
      {
        notices: ['limit-exceeded'],
        steps: LIMITS.toolCharacters / MIB - 1,
      },
    ),
    'another context with every event': streaming(
      '1.0',
      (speak, call) =>
        thenForEver(call, speak.task('working'), (index) =>
          speak.status('working').replaceAll('"context"', `"context${index}"`),
        ),
      { notices: ['task-canceled'], stopped: true },
    ),
    'late news for ever': streaming(
      '0.3',
      (speak) =>
        forEver((index) => (index === 0 ? speak.chunk('fine') + speak.status('completed') : speak.chunk('late'))),
      { notices: [], answer: 'fine' },
      { get: () => ({ headers: JSON_BODY, bytes: [speaker('0.3').result('completed')] }) },
    ),
    'drafts for ever': streaming(
      '0.3',
      (speak, call) =>
        thenForEver(call, speak.task('working'), (index) => speak.chunk(`draft ${index}`, { append: false })),
      {
        notices: ['task-canceled'],
        stopped: true,
      },
    ),
    'a status for ever': streaming(
      '1.0',
      (speak, call) =>
        thenForEver(call, speak.task('working'), () => speak.status('working', message([text('x'.repeat(KIB))]))),
      {
        notices: ['task-canceled'],
        stopped: true,
      },
    ),
  };
}

async function* thenForEver({ middle }: Call, first: string, make: (index: number) => string): AsyncGenerator<string> {
  yield first + make(0);
  await middle();
  yield* forEver((index) => make(index + 1));
}

async function* longAnswer(speak: Speaker, { middle }: Call): AsyncGenerator<string> {
  yield speak.task('working');
  const chunk = speak.chunk('x'.repeat(64 * KIB));
  yield* times(32, () => chunk);
  await middle();
  yield* times(288, () => chunk);
  yield speak.status('completed');
}

/** Within what is carried, whatever it is like. */
export function strange(): Record<string, Case> {
  const fine = { notices: [], answer: 'fine' };
  const rest = (speak: Speaker): string =>
    speak.chunk('fine') + speak.task('completed', { artifacts: [{ artifactId: 'answer', parts: [text('fine')] }] });
  const cases: Record<string, Case> = {
    'ten thousand artifacts': streaming('1.0', manyArtifacts, {
      notices: [],
      answer: [...times(10_000, (index) => `artifact ${index}`)].join('\n\n'),
    }),
    'a thousand steps': streaming('1.0', manySteps, {
      notices: [],
      steps: 1_000,
      answer: [...times(1_000, String)].join(''),
    }),
    'an argument and a name of 1 MB': streaming(
      '0.3',
      (speak, call) =>
        around(
          call,
          speak.chunk([tool('call', 'c', { words: `://${'eyJ-sk-a:'.repeat(MIB / 9)}` }, megabyte)]),
          rest(speak),
        ),
      { ...fine, steps: 1 },
    ),
    'a status message of 1 MB': streaming(
      '1.0',
      (speak, call) => around(call, speak.status('working', message([text(megabyte)])), rest(speak)),
      fine,
    ),
    'a history of 5,000 messages': streaming(
      '0.3',
      (speak, call) =>
        around(
          call,
          speak.task('working', {
            history: [
              ...times(5_000, (index) =>
                message([text('x'.repeat(KIB)), tool('call', 'old', {})], index % 2 ? 'agent' : 'user', `m${index}`),
              ),
            ],
          }),
          rest(speak),
        ),
      { ...fine, steps: 1 },
    ),
    'bytes that are no UTF-8': streaming(
      '1.0',
      (speak, call) => around(call, Buffer.from(speak.chunk('a\u00fe\u00ffb'), 'latin1'), speak.status('completed')),
      { notices: [], answer: 'a\ufffd\ufffdb' },
      { get: () => ({ headers: JSON_BODY, bytes: [speaker('1.0').result('completed')] }) },
    ),
  };
  for (const wire of ['1.0', '0.3'] as const) {
    cases[`data 10,000 deep, ${wire}`] = streaming(
      wire,
      (speak, call) =>
        around(call, speak.chunk([tool('call', 'deep', 'HERE')]).replace('"HERE"', nested(10_000)), rest(speak)),
      { ...fine, steps: 0 },
    );
  }
  return cases;
}

async function* around({ middle }: Call, before: string | Uint8Array, after: string) {
  yield before;
  await middle();
  yield after;
}

async function* manyArtifacts(speak: Speaker, { middle }: Call): AsyncGenerator<string> {
  yield speak.task('working');
  for (let index = 0; index < 10_000; index += 1) {
    if (index === 5_000) await middle();
    yield speak.chunk(`artifact ${index}`, { append: false, artifactId: `a${index}` });
  }
  yield speak.task('completed', {
    artifacts: [...times(10_000, (index) => ({ artifactId: `a${index}`, parts: [text(`artifact ${index}`)] }))],
  });
}

async function* manySteps(speak: Speaker, { middle }: Call): AsyncGenerator<string> {
  yield speak.task('working');
  for (let index = 0; index < 1_000; index += 1) {
    if (index === 500) await middle();
    yield speak.chunk([tool('call', `c${index}`, { index }), tool('response', `c${index}`, {}), text(String(index))]);
  }
  const parts = [
    ...times(1_000, (index) => [
      tool('call', `c${index}`, { index }),
      tool('response', `c${index}`, {}),
      text(String(index)),
    ]),
  ].flat();
  yield speak.task('completed', { artifacts: [{ artifactId: 'answer', parts }] });
}
