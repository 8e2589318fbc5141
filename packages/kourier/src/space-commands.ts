import { readFile } from 'node:fs/promises';
import {
  AgentError,
  CardError,
  ClientError,
  type ListedAgent,
  SpaceClient,
  SpaceError,
  type SpaceFailure,
  type StreamResult,
  TransportError,
} from '@agentkourier/agent';
import type { SpaceOptions } from './cli/a2a/space-options.ts';
import { agentLines, answerText, SPACE_EXIT } from './cli/a2a/space-words.ts';
import { inert } from './cli/inert.ts';
import { UsageError } from './cli/usage-error.ts';

export interface Terminal {
  readonly print: (text: string) => void;
  readonly complain: (line: string) => void;
  /** Where progress is shown; absent where nobody looks. */
  readonly progress: ((line: string) => void) | undefined;
  readonly signal: AbortSignal;
}

/** `kourier a2a discover|call|status|cancel` (rule A3); the exit code. Rejects with a `UsageError`. */
export async function spaceCommand(options: SpaceOptions, terminal: Terminal): Promise<number> {
  const key = options.keyFile === undefined ? options.key : await keyIn(options.keyFile);
  const space = new SpaceClient({ url: options.url, space: options.spaceId, ...(key === undefined ? {} : { key }) });
  try {
    switch (options.action) {
      case 'discover':
        return await discover(space, options, terminal);
      case 'call':
        return await call(space, options, terminal);
      case 'status':
      case 'cancel':
        return await look(space, options, terminal);
    }
  } catch (error) {
    return failed(error, options, terminal);
  }
}

type Of<Action extends SpaceOptions['action']> = Extract<SpaceOptions, { readonly action: Action }>;

async function discover(space: SpaceClient, options: Of<'discover'>, { print, signal }: Terminal): Promise<number> {
  const { text, skill, blocked, limit = Number.POSITIVE_INFINITY, json } = options;
  const query = { blocked, signal, ...(text === undefined ? {} : { text }), ...(skill === undefined ? {} : { skill }) };
  const found: ListedAgent[] = [];
  for await (const agent of space.discoverAll(query)) {
    found.push(agent);
    if (found.length >= limit) break;
  }
  if (json) print(found.map((agent) => `${JSON.stringify(jsonOf(agent))}\n`).join(''));
  else if (found.length > 0) print(agentLines(found));
  else print('No agent fits. --blocked shows those that cannot be called, too.\n');
  return 0;
}

/** The keys are a promise to scripts. */
function jsonOf({
  blockedReason = null,
  ...agent
}: Omit<ListedAgent, 'blockedReason'> & { readonly blockedReason?: string | null | undefined }): object {
  return { ...agent, blockedReason };
}

async function call(space: SpaceClient, options: Of<'call'>, terminal: Terminal): Promise<number> {
  const { agentId, message, skill, taskId: platformTask, idempotencyKey, wait, json } = options;
  const { signal, progress } = terminal;
  const said = { parts: message, ...(skill === undefined ? {} : { skillId: skill }) };
  const settings = { signal, follow: true };
  const keyed = { ...settings, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const { taskId, stream } = await (platformTask === undefined
    ? space.call(agentId, said, keyed)
    : space.continueTask(platformTask, said, settings));
  for await (const event of stream) {
    if (event.kind === 'status-update') progress?.(`${await taskId}: ${event.status.state}`);
    if (!wait && event.kind !== 'message') {
      return told(
        { taskId: await taskId, status: event.kind === 'task' ? event.task.status.state : 'working', text: '' },
        { json, agentId },
        terminal,
      );
    }
  }
  const result = await stream.result();
  if (result.kind === 'transport-failure') {
    throw new TransportError(`the answer did not come to its end: ${result.why}`, result.delivery);
  }
  return told({ taskId: await taskId, status: result.state, text: textOf(result) }, { json, agentId }, terminal);
}

/** Of a task that waits: what it asks. */
function textOf(result: Exclude<StreamResult, { kind: 'transport-failure' }>): string {
  if (result.kind !== 'paused') return result.text;
  const asked = (result.question?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return [result.text, asked].filter((text) => text !== '').join('\n\n');
}

async function look(
  space: SpaceClient,
  { action, taskId, json }: Of<'status' | 'cancel'>,
  terminal: Terminal,
): Promise<number> {
  const recorded = await space.task(taskId, terminal.signal);
  if (recorded.remoteTaskId === undefined && action === 'status') {
    // Nothing can be asked of the agent: an answer without a task, or a call that did not get so far.
    const status = recorded.status ?? 'submitted';
    return told({ taskId, status, text: '' }, { json, agentId: recorded.agentId }, terminal);
  }
  const task = await space[action](taskId, terminal.signal);
  const text = task.artifacts
    .flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')))
    .join('');
  const code = told({ taskId, status: task.state, text }, { json, agentId: recorded.agentId }, terminal);
  // A cancel that was asked for and came is no failure.
  return action === 'cancel' && task.state === 'canceled' ? 0 : code;
}

interface Outcome {
  readonly taskId: string;
  readonly status: string;
  readonly text: string;
}

/** Prints what became of a task; the exit code that says the same. */
function told(
  { taskId, status, text }: Outcome,
  { json, agentId }: { json: boolean; agentId: string },
  { print }: Terminal,
): number {
  if (json) print(`${JSON.stringify({ taskId, status, agentId, answer: text })}\n`);
  else print(`${inert(taskId)}  ${inert(status)}\n${text === '' ? '' : `\n${answerText(text).trimEnd()}\n`}`);
  if (status === 'failed' || status === 'rejected' || status === 'canceled') return SPACE_EXIT.taskFailed;
  return status === 'input-required' || status === 'auth-required' ? SPACE_EXIT.paused : 0;
}

const EXITS: Readonly<Record<SpaceFailure, number>> = {
  'not-configured': 2,
  unauthenticated: SPACE_EXIT.refused,
  refused: SPACE_EXIT.refused,
  'not-found': SPACE_EXIT.notFound,
  invalid: SPACE_EXIT.taskFailed,
  unavailable: SPACE_EXIT.unavailable,
};

/** One line `CODE: what, and what to do`, and the exit code of its class. */
function failed(error: unknown, { json }: SpaceOptions, { complain, print }: Terminal): number {
  const { code, exit, detail } = failureOf(error);
  if (json) print(`${JSON.stringify({ error: code, detail })}\n`);
  complain(`kourier: ${code}: ${inert(detail, 500)}`);
  return exit;
}

function failureOf(error: unknown): { readonly code: string; readonly exit: number; readonly detail: string } {
  if (error instanceof SpaceError) {
    const { code, failure, message } = error;
    return { code, exit: EXITS[failure], detail: message.slice(code.length + 2) };
  }
  if (error instanceof AgentError) return agentFailure(error);
  if (error instanceof TransportError)
    return { code: 'A2A_SPACE_CONNECTION_LOST', exit: SPACE_EXIT.unavailable, detail: error.message };
  if (error instanceof CardError)
    return { code: 'not-found', exit: SPACE_EXIT.notFound, detail: 'There is no such agent, or it is not for you.' };
  if (error instanceof ClientError)
    return { code: 'A2A_CALL_REFUSED', exit: SPACE_EXIT.taskFailed, detail: error.message };
  throw error;
}

/** The gateway's own reason, where it is one; else what the agent says. */
function agentFailure(error: AgentError): { readonly code: string; readonly exit: number; readonly detail: string } {
  const [info] = (Array.isArray(error.data) ? error.data : []) as readonly {
    reason?: unknown;
    metadata?: { reason?: unknown };
  }[];
  const code = String(info?.metadata?.reason ?? info?.reason ?? `A2A_ERROR_${error.code ?? error.status}`);
  const detail = error.message;
  if (error.status === 401 || error.status === 403) return { code, exit: SPACE_EXIT.refused, detail };
  if (error.status === 404 || error.code === -32_001) return { code, exit: SPACE_EXIT.notFound, detail };
  if (error.status >= 500) return { code, exit: SPACE_EXIT.unavailable, detail };
  return { code, exit: error.status === 409 ? SPACE_EXIT.refused : SPACE_EXIT.taskFailed, detail };
}

async function keyIn(path: string): Promise<string> {
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (/^[\x21-\x7e]{1,8192}$/.test(key)) return key;
  } catch {
    throw new UsageError(`${path} cannot be read`, 'write a file with the key after --key-file');
  }
  throw new UsageError(`${path} holds no key`, 'put the key into it, and nothing else');
}
