import assert from 'node:assert/strict';
import { card } from '../src/cli/card/card.ts';
import { cardOptions } from '../src/cli/card/card-options.ts';
import { parse } from '../src/cli/parse.ts';
import type { WebAnswer } from '../src/ports/web-text.ts';

/** Valid as A2A 1.0, of an agent at http://h:1/a2a. */
export const CARD = {
  name: 'Agent',
  description: 'Answers.',
  supportedInterfaces: [{ url: 'http://h:1/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  version: '1.2.3',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'talk', name: 'Talk', description: 'Talks.', tags: ['chat'] }],
};

interface World {
  readonly files?: Readonly<Record<string, unknown>>;
  /** `GET URL` or `POST URL`, and what answers; 404 otherwise. */
  readonly web?: Readonly<Record<string, unknown>>;
}

export interface Ran {
  readonly held: boolean;
  readonly out: string;
  readonly complaints: readonly string[];
  readonly calls: readonly string[];
}

/** Runs `kourier card` in a world without files, clock and network. */
export async function runCard(line: string, { files = {}, web = {} }: World = {}): Promise<Ran> {
  let out = '';
  const complaints: string[] = [];
  const calls: string[] = [];
  const parsed = parse(['card', ...line.split(' ')]);
  assert.ok(parsed.kind === 'command');
  const held = await card(cardOptions(parsed.operands, parsed.values), {
    readText: async (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return typeof text === 'string' ? text : JSON.stringify(text);
    },
    webText: async (url, body) => {
      const call = `${body === undefined ? 'GET' : 'POST'} ${url.href}`;
      calls.push(body === undefined ? call : `${call} ${(JSON.parse(body) as { method: string }).method}`);
      const answer = web[call];
      if (answer === undefined) return { kind: 'answer', status: 404, text: '<html>' };
      const isAnswer = typeof answer === 'object' && answer !== null && 'kind' in answer;
      return isAnswer ? (answer as WebAnswer) : { kind: 'answer', status: 200, text: JSON.stringify(answer) };
    },
    print: (text) => {
      out += text;
    },
    complain: (text) => complaints.push(text),
  });
  return { held, out, complaints, calls };
}
