import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../../../../scripts/shared-folder.ts';
import { type HttpAgent, type Reaction, stream } from '../../contract/http-agent.ts';
import { messageOf } from './sent-message.ts';

type Json = Readonly<Record<string, unknown>>;

/** One line of a transcript: what an agent sent, what a client is expected to send, or a fault on the wire. */
export interface Item {
  readonly note: string;
  readonly result?: Json;
  readonly error?: Json;
  readonly request?: SentRequest;
  readonly transport?: unknown;
}

export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly method: string; readonly params: Json };
}

const FOLDER = join(sharedFolder(), 'transcripts', 'kagent_adk');

/** Why the tests that play transcripts are skipped, when they are not there. */
export const ABSENT = existsSync(FOLDER) ? false : `SKIPPED, nothing shown: there are no transcripts at ${FOLDER}`;

export function transcript(file: string): readonly Item[] {
  return ABSENT ? [] : (JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as readonly Item[]);
}

/** Agent cards, in the order in which they stand: kagent 1.0, kagent 0.9, ADK 0.3, and four to refuse or accept. */
export function cards(): readonly { readonly note: string; readonly card: Json }[] {
  return transcript('cards.json') as unknown as readonly { note: string; card: Json }[];
}

export const KAGENT_1_0 = 0;
export const KAGENT_0_9 = 1;
export const ADK_0_3 = 2;

/** The items from `first` to `last` as server-sent events with the request's id, then a clean end. */
export function played(agent: HttpAgent, items: readonly Item[], then: 'end' | 'lose' | 'stay' = 'end'): Reaction {
  return (response, call) => {
    const frames = items.map((item) => `data: ${envelope(agent, item, call.body.id)}\n\n`);
    const after = stream(frames, (open) => {
      if (then === 'end') open.end();
      if (then === 'lose') open.destroy();
    });
    after(response, call);
  };
}

/** One item as the whole answer of a call that is no stream. */
export function replied(agent: HttpAgent, item: Item | undefined): Reaction {
  return (response, { body }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(envelope(agent, item ?? { note: '', error: { code: -32601, message: 'no' } }, body.id));
  };
}

/** An agent stores the messages that it got, so the transcript's ids give way to those that were sent. */
function envelope(agent: HttpAgent, { result, error }: Item, id: unknown): string {
  const sent = agent.seen('send').map((call) => messageOf(call).messageId);
  const text = JSON.stringify({ jsonrpc: '2.0', id, ...(error ? { error } : { result }) });
  return text.replaceAll(/am-turn-\w+/g, sent[0] ?? '').replaceAll(/am-answer-\w+/g, sent.at(-1) ?? '');
}

/** What the agent's store holds after these items, for a transcript that does not show it. */
export function taskAfter(items: readonly Item[]): Item {
  const task: Record<string, unknown> = { artifacts: [], history: [] };
  for (const { result } of structuredClone(items)) if (result) fold(task, result);
  return { note: 'the task as it is stored', result: task };
}

function fold(task: Record<string, unknown>, result: Json): void {
  const inner = (result['task'] ?? result['statusUpdate'] ?? result['artifactUpdate'] ?? result) as Json;
  if (inner['artifact'] !== undefined) {
    foldArtifact(task['artifacts'] as Stored[], inner['artifact'] as Stored, inner['append'] === true);
  } else if (inner['id'] === undefined) {
    const { taskId: id, contextId, status } = inner;
    const before = (task['status'] as Json | undefined)?.['message'];
    if (before !== undefined) (task['history'] as unknown[]).push(before);
    Object.assign(task, { id, contextId, status, ...(result['kind'] === undefined ? {} : { kind: 'task' }) });
  } else Object.assign(task, inner);
  task['artifacts'] ??= [];
}

interface Stored {
  readonly artifactId: string;
  readonly parts: unknown[];
}

function foldArtifact(artifacts: Stored[], artifact: Stored, append: boolean): void {
  const at = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const known = artifacts[at];
  if (known === undefined) artifacts.push(artifact);
  else if (append) known.parts.push(...artifact.parts);
  else artifacts[at] = artifact;
}

/** A whole task of a transcript under an id of its own, as another turn's, with some of its artifacts. */
export function taskFor(
  id: string,
  item: Item | undefined,
  keep: (artifacts: readonly unknown[]) => readonly unknown[] = (all) => all,
): readonly Item[] {
  const task = structuredClone(item?.result?.['task']) as { artifacts: readonly unknown[] };
  return [{ note: id, result: { task: { ...task, id, artifacts: keep(task.artifacts) } } }];
}
