import type { TestContext } from 'node:test';
import type { AnswerTurn, PushOptions, ServeOptions } from '../src/index.ts';
import { handTime } from './push-receiver.ts';
import { message, serve } from './served-agent.ts';

/** A served agent that sends push notifications, on time that the test moves. */
export async function world(
  t: TestContext,
  turn: AnswerTurn,
  options: ServeOptions & { readonly push?: PushOptions } = {},
) {
  const time = handTime();
  const failures: unknown[] = [];
  const { push, ...rest } = options;
  const agent = await serve(t, turn, {
    now: time.now,
    onError: (error) => failures.push(error),
    push: { fetch, wait: time.wait, random: time.random, ...push },
    ...rest,
  });
  const send = (hook: object, fields: object = {}) =>
    agent.call('SendMessage', {
      ...message('m1', { ...fields }),
      configuration: { returnImmediately: true, taskPushNotificationConfig: hook },
    });
  return { agent, time, failures, send };
}

/** A turn that says one word. */
export const says: AnswerTurn = async function* () {
  yield 'hello';
};
