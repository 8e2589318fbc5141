import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { SpaceOptions } from '../src/cli/a2a/space-options.ts';
import { spaceCommand, type Terminal } from '../src/space-commands.ts';

export const API = '/api/v1/spaces/north';
export const AGENT = '/spaces/north/agents/echo';

export type Answers = Readonly<
  Record<
    string,
    | readonly [number, unknown]
    | ((body: { readonly id?: unknown; readonly method?: string }) => readonly [number, unknown])
  >
>;

/** A Space of what the test says, at `METHOD PATH`; what it does not say is not there. */
export async function spaceOf(t: TestContext, answers: Answers) {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    headers.push(request.headers);
    const { pathname } = new URL(request.url ?? '', 'http://h');
    const answer = answers[`${request.method} ${pathname}`] ?? [404, { code: 'not-found', detail: 'Look\u001b[2J.' }];
    const [status, value] = typeof answer === 'function' ? answer(text === '' ? undefined : JSON.parse(text)) : answer;
    const { frames, end } = value as { readonly frames?: readonly string[]; readonly end?: string };
    if (frames === undefined)
      return void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    response.writeHead(status, { 'content-type': 'text/event-stream' }).write(frames.join(''));
    if (end === 'closed') response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = async (options: Record<string, unknown>, more: Partial<Terminal> = {}) => {
    let out = '';
    const lines: string[] = [];
    const terminal = {
      print: (text: string) => {
        out += text;
      },
      complain: (line: string) => void lines.push(line),
      progress: undefined,
      signal: new AbortController().signal,
      ...more,
    };
    const code = await spaceCommand(
      { url, spaceId: 'north', json: false, ...options } as unknown as SpaceOptions,
      terminal,
    );
    return { code, out, lines };
  };
  return { run, headers };
}

export const agent = (agentId: string, more: object = {}) => ({
  ...{
    agentId,
    versionId: 'v1-0',
    name: 'Echo',
    description: 'Says\u001b[31m it.',
    skills: [],
    callable: true,
    url: 'u',
  },
  ...more,
});

const CARD = {
  ...{ name: 'Echo', description: 'x', version: '1', capabilities: {}, skills: [] },
  supportedInterfaces: [{ url: `http://h${AGENT}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};

export const task = (state: string, more: object = {}) => ({
  ...{ id: 'r1', contextId: 'c1', status: { state: `TASK_STATE_${state}` } },
  artifacts: [{ artifactId: 'a', parts: [{ text: 'sunny\u001b[2J' }] }],
  ...more,
});

/** A Space whose agent answers with this task. */
export const answering = (state: string, more: object = {}): Answers => ({
  [`GET ${AGENT}/.well-known/agent-card.json`]: [200, CARD],
  [`POST ${API}/calls`]: [201, { taskId: 'task-1', permit: 'p' }],
  [`GET ${API}/tasks/task-1`]: [200, { taskId: 'task-1', agentId: 'echo', status: 'working', remoteTaskId: 'r1' }],
  [`POST ${AGENT}`]: ({ id, method }) => {
    const found = task(state, more);
    return [200, { jsonrpc: '2.0', id, result: method === 'SendMessage' ? { task: found } : found }];
  },
});

/** The same, told as these events; one that stays open ends when its reader leaves. */
export const streaming = (events: readonly object[], end: 'closed' | 'open' = 'closed'): Answers => ({
  ...answering('WORKING'),
  [`GET ${AGENT}/.well-known/agent-card.json`]: [200, { ...CARD, capabilities: { streaming: true } }],
  [`POST ${AGENT}`]: ({ id }) => {
    const frames = events.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    return [200, { frames, end }];
  },
});
