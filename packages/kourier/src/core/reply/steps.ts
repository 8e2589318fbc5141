import { LIMITS } from '../limits.ts';
import type { AgentMessage, Part, Status, TaskSnapshot } from './agent-event.ts';
import { endStep, type Step, stepOf } from './step.ts';
import { BETWEEN } from './texts.ts';
import { type ToolPart, toolPart } from './tool-part.ts';

/** `cut` is in characters of the answer; without a step it is where a request stood. */
export interface Mark {
  readonly cut: number;
  readonly step?: Step;
}

/**
 * The tool calls of one turn, each delivered once, whatever repeats it (rules T2, T3, T8). There are two sources,
 * artifacts and messages. A part that both hold is one part: what counts is the larger number of the two.
 */
export class Steps {
  readonly list: Step[] = [];
  /** Where the answer is split: by its steps, and where a request stood. */
  readonly marks: Mark[] = [];
  /** Grows with every step that begins or ends. */
  version = 0;
  /** There are more of them, or they say more, than is carried in one turn: what came before stays. */
  overLimit = false;
  readonly #byCall = new Map<string, Step[]>();
  readonly #heldBy = new Map<string, Map<string, number>>();
  readonly #inArtifacts = new Map<string, number>();
  readonly #inMessages = new Map<string, number>();
  readonly #delivered = new Map<string, number>();
  readonly #messageParts = new Set<string>();
  /** Results that came before their call (rule T6). */
  readonly #early = new Map<string, ToolPart[]>();
  #send = 0;
  #parts = 0;
  #characters = 0;

  /**
   * An appended chunk: every part is new, although its index starts anew. `start` is where the artifact's text begins in
   * the answer, `own` how much of it came before the chunk. `true`: a step began or ended.
   */
  append(artifactId: string, parts: readonly Part[], start: number, own: number): boolean {
    let changed = false;
    for (const [tool, cut] of toolsOf(parts, start, own)) {
      if (!this.#fits(tool)) return changed;
      add(this.#held(artifactId), tool.says);
      changed = this.#fromArtifact(tool, cut) || changed;
    }
    return changed;
  }

  /** A chunk that replaces, or a snapshot: it holds the parts again, and those past the number delivered are new. */
  replace(artifactId: string, parts: readonly Part[], start: number): boolean {
    const held = this.#held(artifactId);
    const inChunk = new Map<string, number>();
    let changed = false;
    for (const [tool, cut] of toolsOf(parts, start)) {
      if (add(inChunk, tool.says) <= (held.get(tool.says) ?? 0)) continue;
      if (!this.#fits(tool)) return changed;
      add(held, tool.says);
      changed = this.#fromArtifact(tool, cut) || changed;
    }
    return changed;
  }

  /** The agent's own status message, while the task is working (rule T2). */
  status({ state, message }: Status, cut: number): boolean {
    return state === 'working' && message !== undefined && this.#message(message, cut);
  }

  /** A snapshot: its artifacts, the agent's messages since the user's last one, and its status (rule T2). */
  snapshot(task: TaskSnapshot, startOf: (artifactId: string) => number, end: number): boolean {
    let changed = false;
    for (const { artifactId, parts } of task.artifacts) {
      if (!hasTools(parts)) continue;
      changed = this.replace(artifactId, lastResults(parts), startOf(artifactId)) || changed;
    }
    const since = task.history.findLastIndex(({ role }) => role === 'user') + 1;
    for (const message of task.history.slice(since)) changed = this.#message(message, end) || changed;
    return this.status(task.status, end) || changed;
  }

  /** An answer goes out: what was delivered before it was the paused turn's (rule T5). */
  beginAnswer(end: number): void {
    this.#send += 1;
    this.marks.push({ cut: end });
  }

  /** The send has ended: results whose call is nowhere are delivered (rule T6), and nothing is left running. */
  finish(completed: boolean, end: number): void {
    for (const tool of [...this.#early.values()].flat()) {
      endStep(this.#add({ ...tool, content: undefined }, end), tool);
    }
    this.#early.clear();
    this.version += 1;
    for (const step of this.list) {
      if (step.state !== 'running') continue;
      step.state = completed ? 'done' : 'failed';
      step.version += 1;
    }
  }

  #message(message: AgentMessage, cut: number): boolean {
    if (message.role !== 'agent') return false;
    let changed = false;
    for (const [index, part] of message.parts.entries()) {
      const tool = toolPart(part);
      if (!tool) continue;
      const name = message.messageId === undefined ? tool.says : `${index} ${message.messageId}`;
      if (this.#messageParts.has(name)) continue;
      if (!this.#fits(tool)) return changed;
      this.#messageParts.add(name);
      changed = this.#deliver(tool, add(this.#inMessages, tool.says), cut) || changed;
    }
    return changed;
  }

  /** To be asked of every part before anything of it is kept. */
  #fits({ says }: ToolPart): boolean {
    this.#parts += 1;
    this.#characters += says.length;
    this.overLimit ||= this.#parts > LIMITS.toolParts || this.#characters > LIMITS.toolCharacters;
    return !this.overLimit;
  }

  #fromArtifact(tool: ToolPart, cut: number): boolean {
    return this.#deliver(tool, add(this.#inArtifacts, tool.says), cut);
  }

  #deliver(tool: ToolPart, count: number, cut: number): boolean {
    if (count <= (this.#delivered.get(tool.says) ?? 0)) return false;
    this.#delivered.set(tool.says, count);
    const changed = tool.kind === 'call' ? this.#begin(tool, cut) : this.#end(tool, cut);
    if (changed) this.version += 1;
    return changed;
  }

  #begin(tool: ToolPart, cut: number): boolean {
    const step = this.#add(tool, cut);
    const early = this.#early.get(callOf(tool))?.shift();
    if (early) endStep(step, early);
    return true;
  }

  #add(tool: ToolPart, cut: number): Step {
    const step = stepOf(tool, cut, this.#send);
    this.list.push(step);
    this.marks.push({ cut, step });
    pushTo(this.#byCall, callOf(tool), step);
    return step;
  }

  /** A result ends every open step of its call's id; without an id, the first open step of its name. */
  #end(tool: ToolPart, cut: number): boolean {
    const calls = this.#byCall.get(callOf(tool)) ?? [];
    const open = calls.filter(({ state }) => state === 'running');
    for (const step of tool.callId === undefined ? open.slice(0, 1) : open) endStep(step, tool);
    if (open.length > 0) return true;
    const call = calls.at(-1);
    if (!call) pushTo(this.#early, callOf(tool), tool);
    // Its step ended before the pause, so after the answer the call is made again, with the same arguments (rule T6).
    if (!call || call.send === this.#send) return false;
    return endStep(this.#add({ ...tool, content: call.args }, cut), tool);
  }

  #held(artifactId: string): Map<string, number> {
    const held = this.#heldBy.get(artifactId) ?? new Map<string, number>();
    this.#heldBy.set(artifactId, held);
    return held;
  }
}

const callOf = ({ callId, name }: ToolPart): string => (callId === undefined ? `name ${name}` : `id ${callId}`);

export const hasTools = (parts: readonly Part[]): boolean => parts.some((part) => toolPart(part) !== undefined);

/**
 * The tool parts, each with where it cuts the answer: behind the artifact's own text so far, or, before any of it, behind
 * all that stands before, so that the blank line between two artifacts begins the second piece and is none by itself.
 */
function* toolsOf(parts: readonly Part[], start: number, own = 0): Generator<[ToolPart, number]> {
  let length = own;
  for (const part of parts) {
    if (part.kind === 'text' && !part.thought) length += part.text.length;
    const tool = toolPart(part);
    if (tool) yield [tool, length === 0 ? Math.max(0, start - BETWEEN.length) : start + length];
  }
}

/** A snapshot is history: of several results of one call the last counts (rule T4). */
function lastResults(parts: readonly Part[]): readonly Part[] {
  const last = new Map<string, Part>();
  for (const part of parts) {
    const tool = toolPart(part);
    if (tool?.kind === 'result' && tool.callId !== undefined) last.set(tool.callId, part);
  }
  return parts.filter((part) => {
    const tool = toolPart(part);
    return tool?.kind !== 'result' || tool.callId === undefined || last.get(tool.callId) === part;
  });
}

function add(counts: Map<string, number>, says: string): number {
  const count = (counts.get(says) ?? 0) + 1;
  counts.set(says, count);
  return count;
}

function pushTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
