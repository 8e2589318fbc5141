import assert from 'node:assert/strict';
import { Client, type ClientOptions, type StreamResult } from '../src/index.ts';
import { type Answering, chunk, rawAgent, state, task } from './raw-agent.ts';

export interface Heard {
  readonly kinds: readonly string[];
  readonly result: StreamResult;
}

/** Sends one message to an agent that answers so, and hears it out. */
export async function hear(t: Cleanup, answer: Answering, options: ClientOptions = {}): Promise<Heard> {
  const agent = await rawAgent(t, answer);
  const client = await Client.connect(agent.url, options);
  const told = client.sendStreamingMessage('hello');
  const kinds: string[] = [];
  for await (const { kind } of told) kinds.push(kind);
  return { kinds, result: await told.result() };
}

export const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );

/** A turn as it should be. */
export const DONE = [task('SUBMITTED'), state('WORKING'), chunk('He', false), chunk('llo'), state('COMPLETED')];

interface Cleanup {
  after(end: () => unknown): void;
}
