import { readFile } from 'node:fs/promises';
import type { Message, StreamEvent } from '@agentkourier/a2a/model';
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
  textOfArtifacts,
} from '@agentkourier/agent';
import { isKey, type SpaceOptions } from './cli/a2a/space-options.ts';
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
  const about: About = { taskId: 'taskId' in options ? options.taskId : undefined };
  try {
    switch (options.action) {
      case 'discover':
        return await discover(space, options, terminal);
      case 'call':
        return await call(space, options, { ...terminal, about });
      case 'status':
      case 'cancel':
        return await look(space, options, terminal);
    }
  } catch (error) {
    return failed(error, options, { ...terminal, about });
  }
}

/** The task that is asked about, once it is known. */
interface About {
  taskId: string | undefined;
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

async function call(
  space: SpaceClient,
  options: Of<'call'>,
  terminal: Terminal & { readonly about: About },
): Promise<number> {
  const { agentId, message, skill, taskId: platformTask, idempotencyKey, wait, json } = options;
  const { signal, about } = terminal;
  const said = { parts: message, ...(skill === undefined ? {} : { skillId: skill }) };
  const settings = { signal, follow: true };
  const keyed = { ...settings, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  if (platformTask !== undefined) await judgeTask(space, { agentId, taskId: platformTask, signal });
  const { taskId, stream } = await (platformTask === undefined
    ? space.call(agentId, said, keyed)
    : space.continueTask(platformTask, said, settings));
  void taskId.then(
    (id) => {
      about.taskId = id;
    },
    () => undefined,
  );
  const showState = stateShower(terminal);
  for await (const event of stream) {
    const status = stateIn(event);
    showState(await taskId, status);
    if (!wait && event.kind !== 'message') {
      return told({ taskId: await taskId, status: status ?? 'working', text: '' }, { json, agentId }, terminal);
    }
  }
  const result = await stream.result();
  signal.throwIfAborted();
  if (result.kind === 'transport-failure') {
    throw new TransportError(`the answer did not come to its end: ${result.why}`, result.delivery);
  }
  return told({ taskId: await taskId, status: result.state, text: textOf(result) }, { json, agentId }, terminal);
}

/** The agent that is named is the one that gets the message, also where the task knows its own. */
async function judgeTask(
  space: SpaceClient,
  { agentId, taskId, signal }: { readonly agentId: string; readonly taskId: string; readonly signal: AbortSignal },
): Promise<void> {
  const { agentId: own } = await space.task(taskId, signal);
  if (own === agentId) return;
  throw new SpaceError(
    'invalid',
    'A2A_TASK_OF_ANOTHER_AGENT',
    `The task is one of ${own}: write kourier a2a call ${own} MESSAGE --task ${taskId}.`,
  );
}

/** What an event says of the task's state, if anything. */
function stateIn(event: StreamEvent): string | undefined {
  if (event.kind === 'task') return event.task.status.state;
  return event.kind === 'status-update' ? event.status.state : undefined;
}

/** Tells each state of a task once. */
function stateShower({ progress }: Terminal): (taskId: string, state: string | undefined) => void {
  let shown: string | undefined;
  return (taskId, state) => {
    if (state === undefined || state === shown) return;
    shown = state;
    progress?.(`${inert(taskId)}: ${state}`);
  };
}

/** Of a task that waits: what it asks, too. */
function textOf(result: Exclude<StreamResult, { kind: 'transport-failure' }>): string {
  return result.kind === 'paused' ? withQuestion(result.text, result.question) : result.text;
}

function withQuestion(text: string, question: Message | undefined): string {
  const asked = (question?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('');
  return [text, asked].filter((words) => words !== '').join('\n\n');
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
  const answer = textOfArtifacts(task.artifacts);
  const text = isPaused(task.state) ? withQuestion(answer, task.status.message) : answer;
  const code = told({ taskId, status: task.state, text }, { json, agentId: recorded.agentId }, terminal);
  if (action === 'status') return code;
  // A cancel that was asked for and came is no failure; one that came too late is.
  return task.state === 'canceled' ? 0 : task.state === 'completed' ? SPACE_EXIT.taskFailed : code;
}

const isPaused = (state: string): boolean => state === 'input-required' || state === 'auth-required';

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
  return isPaused(status) ? SPACE_EXIT.paused : 0;
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
function failed(
  error: unknown,
  { action, json }: SpaceOptions,
  { complain, print, signal, about }: Terminal & { readonly about: About },
): number {
  const { code, exit, detail } = signal.aborted ? interrupted(signal, action, about) : failureOf(error, action);
  if (json) print(`${JSON.stringify({ error: code, detail })}\n`);
  complain(`kourier: ${code}: ${inert(detail, 500)}`);
  return exit;
}

interface Failed {
  readonly code: string;
  readonly exit: number;
  readonly detail: string;
}

/** Nobody waits any more; a task that was begun goes on without us, and has to be found again. */
function interrupted({ reason }: AbortSignal, action: SpaceOptions['action'], { taskId }: About): Failed {
  const exit = reason instanceof Error && reason.message === 'SIGTERM' ? SPACE_EXIT.terminated : SPACE_EXIT.interrupted;
  const detail =
    taskId === undefined
      ? 'Stopped before the Space had answered.'
      : action === 'call'
        ? `The task goes on: kourier a2a status ${taskId}, or kourier a2a cancel ${taskId}.`
        : `Stopped before the Space had answered: kourier a2a status ${taskId} says how the task stands.`;
  return { code: 'interrupted', exit, detail };
}

const NO_SUCH_AGENT = 'There is no such agent, or it is not for you: kourier a2a discover lists those that are.';

function failureOf(error: unknown, action: SpaceOptions['action']): Failed {
  if (error instanceof SpaceError) {
    const { code, failure, message } = error;
    const detail = code === 'not-found' && action === 'call' ? NO_SUCH_AGENT : message.slice(code.length + 2);
    return { code, exit: EXITS[failure], detail };
  }
  if (error instanceof AgentError) return agentFailure(error);
  if (error instanceof TransportError)
    return { code: 'A2A_SPACE_CONNECTION_LOST', exit: SPACE_EXIT.unavailable, detail: error.message };
  if (error instanceof CardError) return { code: 'not-found', exit: SPACE_EXIT.notFound, detail: NO_SUCH_AGENT };
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
    if (isKey(key)) return key;
  } catch {
    throw new UsageError(`${path} cannot be read`, 'write a file with the key after --key-file');
  }
  throw new UsageError(`${path} holds no key`, 'put the key into it, and nothing else');
}
