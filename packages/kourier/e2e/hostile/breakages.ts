import { gzipSync } from 'node:zlib';
import type { Behaviour, Bytes, Call, Reaction } from './hostile-agent.ts';
import { nested, speaker, text, times } from './says.ts';
import type { Case } from './streams.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const STREAM = { 'content-type': 'text/event-stream' };
const BROKEN = '{"jsonrpc":"2.0","id":1,"result":{"task":';

/** No answer comes of it: the message is sent again until it is given up. */
export function breakages(): Record<string, Case> {
  const lost = { notices: ['unreachable'] };
  const one = speaker('1.0');
  const answered = one.chunk('fine') + one.task('completed');
  const broken = (): Reaction => ({ headers: JSON_BODY, bytes: [BROKEN] });
  return {
    'frames that are no JSON': onSend((call) => ({ bytes: looked(call, `data: ${BROKEN}\n\n`) }), lost),
    'no JSON after the task is known, nor to any question': {
      behaviour: {
        wire: '0.3',
        on: {
          send: (call) => ({ bytes: looked(call, `${speaker('0.3').task('working')}data: ${BROKEN}\n\n`) }),
          get: broken,
          subscribe: broken,
          cancel: broken,
        },
      },
      notices: ['cancel-failed'],
    },
    'headers and then nothing': onSend((call) => ({ bytes: looked(call), after: 'hold' }), lost),
    'not even headers': onSend((call) => {
      void call.middle();
      return 'silent';
    }, lost),
    'gzip that was not asked for': onSend(
      (call) => ({ headers: { ...STREAM, 'content-encoding': 'gzip' }, bytes: looked(call, gzipSync(answered)) }),
      lost,
    ),
    'gzip that says nothing of it': onSend((call) => ({ bytes: looked(call, gzipSync(answered)) }), lost),
  };
}

/** Cards that are too large, or that only look dangerous. */
export function cards(): Record<string, Case> {
  const one = speaker('1.0');
  const parts = [text('fine')];
  const answer = one.task('completed', { artifacts: [{ artifactId: 'answer', parts }] });
  const withCard = (card: NonNullable<Behaviour['card']>, rest: Omit<Case, 'behaviour'>): Case => ({
    behaviour: { wire: '1.0', card, on: { send: (call) => ({ bytes: looked(call, answer) }) } },
    ...rest,
  });
  const fine = { notices: [], answer: 'fine' };
  const skills = [...times(10_000, (id) => ({ id: String(id), name: 'Skill', description: 'A', tags: [] }))];
  return {
    'a card of 5 MB': withCard((plain) => [JSON.stringify({ ...plain, description: 'x'.repeat(5 * 1_024 * 1_024) })], {
      notices: ['unreachable'],
    }),
    'a card 10,000 deep': withCard(
      (plain) => [JSON.stringify({ ...plain, x: 'HERE' }).replace('"HERE"', nested(10_000))],
      fine,
    ),
    'a card of 10,000 skills': withCard((plain) => [JSON.stringify({ ...plain, skills })], fine),
  };
}

function onSend(send: (call: Call) => Reaction | 'silent', rest: Omit<Case, 'behaviour'>): Case {
  return { behaviour: { wire: '1.0', on: { send } }, ...rest };
}

async function* looked(
  { middle }: Call,
  ...pieces: readonly (string | Uint8Array)[]
): Bytes & AsyncGenerator<string | Uint8Array> {
  await middle();
  yield* pieces;
}
