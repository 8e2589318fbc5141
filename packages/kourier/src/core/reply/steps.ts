import { LIMITS } from '../limits.ts';
import type { AgentMessage, Part, Status, TaskSnapshot } from './agent-event.ts';
import { artifactTools, outdated, type PlacedTool, placedTools } from './placed-tools.ts';
import { endStep, type Step, stepOf } from './step.ts';
import { type ToolPart, toolPart } from './tool-part.ts';

/** `cut` is in characters of the answer; without a step it is where a request stood. */
export interface Mark {
  readonly cut: number;
  readonly step?: Step;
}

/** The steps of one call's id, or, for calls without one, of one name. Those before `next` have ended. */
interface Calls {
  open: Step[];
  next: number;
  last: Step;
}

/** A tool part of a message, by the name that tells it from its repetitions (rule T3). */
interface NamedTool {
  readonly name: string;
  readonly tool: ToolPart;
}

/**
 * The tool calls of one turn, each delivered once, whatever repeats it (rules T2, T3, T8). There are two sources,
 * artifacts and messages. A part that both hold is one part: what counts is the larger number of the two. A part costs
 * what it says, however many came before it.
 */
export class Steps {
  readonly list: Step[] = [];
  /** Where the answer is split: by its steps, and where a request stood. */
  readonly marks: Mark[] = [];
  /** Grows with every step that begins or ends. */
  version = 0;
  /** There are more of them, or they say more, than is carried in one turn: what came before stays. */
  overLimit = false;
  readonly #calls = new Map<string, Calls>();
  readonly #heldBy = new Map<string, Map<string, number>>();
  readonly #inArtifacts = new Map<string, number>();
  readonly #inMessages = new Map<string, number>();
  readonly #delivered = new Map<string, number>();
  readonly #messageParts = new Set<string>();
  /** Results that came before their call (rule T6). */
  readonly #early = new Map<string, ToolPart[]>();
  /** Steps of results whose call was nowhere when their send ended: it may be read yet. */
  readonly #orphans = new Map<string, Step>();
  /** Calls of before the user's last message, which the history of a snapshot holds: not shown until their result comes. */
  readonly #before = new Map<string, ToolPart>();
  #send = 0;
  #wasAnswered = false;
  #parts = 0;
  #characters = 0;

  /**
   * An appended chunk: every part is new, although its index starts anew. `start` is where the artifact's text begins in
   * the answer, `own` how much of it came before the chunk. `true`: a step began or ended.
   */
  append(artifactId: string, parts: readonly Part[], start: number, own: number): boolean {
    let changed = false;
    for (const { tool, cut } of placedTools(parts, start, own)) {
      if (!this.#fits(tool)) return changed;
      add(this.#held(artifactId), tool.says);
      changed = this.#deliver(tool, add(this.#inArtifacts, tool.says), cut) || changed;
    }
    return changed;
  }

  /** A chunk that replaces its artifact holds the parts again: those past the number delivered are new. */
  replace(artifactId: string, parts: readonly Part[], start: number): boolean {
    return this.#holdAgain(artifactId, placedTools(parts, start), () => false);
  }

  /** The agent's own status message, while the task is working (rule T2). */
  status({ state, message }: Status, cut: number): boolean {
    return state === 'working' && message !== undefined && this.#messages([message], cut, false);
  }

  /** A snapshot: its artifacts, the agent's messages since the user's last one, and its status (rule T2). */
  snapshot(task: TaskSnapshot, startOf: (artifactId: string) => number, end: number): boolean {
    const artifacts = artifactTools(task.artifacts, startOf);
    const isOld = outdated([...artifacts.values()].flatMap((placed) => placed.map(({ tool }) => tool)));
    let changed = false;
    for (const [artifactId, placed] of artifacts) changed = this.#holdAgain(artifactId, placed, isOld) || changed;
    const { status, history } = task;
    const since = history.findLastIndex(({ role }) => role === 'user') + 1;
    this.#noteBefore(history.slice(0, since));
    const working = status.state === 'working' && status.message ? [status.message] : [];
    changed = this.#messages([...history.slice(since), ...working], end, true) || changed;
    if (this.#wasAnswered) this.#send += 1;
    this.#wasAnswered = false;
    return changed;
  }

  /** An answer goes out: what was delivered before it was the paused turn's (rule T5). The send before it has ended (rule T6). */
  beginAnswer(end: number): void {
    this.#deliverEarly(end);
    this.#send += 1;
    this.marks.push({ cut: end });
  }

  /** An answer went out in an earlier life: the first snapshot holds what the paused turn had, as far as anybody knows. */
  goOnAfterAnswer(): void {
    this.#wasAnswered = true;
  }

  /** The send has ended: results whose call is nowhere are delivered (rule T6), and nothing is left running. */
  finish(completed: boolean, end: number): void {
    this.#deliverEarly(end);
    this.version += 1;
    for (const step of this.list) {
      if (step.state !== 'running') continue;
      step.state = completed ? 'done' : 'failed';
      step.version += 1;
    }
  }

  #holdAgain(artifactId: string, placed: readonly PlacedTool[], isOld: (tool: ToolPart) => boolean): boolean {
    const held = this.#held(artifactId);
    const inChunk = new Map<string, number>();
    let changed = false;
    for (const { tool, cut } of placed) {
      if (add(inChunk, tool.says) <= (held.get(tool.says) ?? 0)) continue;
      if (!this.#fits(tool)) return changed;
      add(held, tool.says);
      changed = this.#deliver(tool, add(this.#inArtifacts, tool.says), cut, isOld(tool)) || changed;
    }
    return changed;
  }

  #messages(messages: readonly AgentMessage[], cut: number, isSnapshot: boolean): boolean {
    const named = messages.flatMap(namedTools);
    const isOld = isSnapshot ? outdated(named.map(({ tool }) => tool)) : () => false;
    let changed = false;
    for (const { name, tool } of named) {
      if (this.#messageParts.has(name)) continue;
      if (!this.#fits(tool)) return changed;
      this.#messageParts.add(name);
      changed = this.#deliver(tool, add(this.#inMessages, tool.says), cut, isOld(tool)) || changed;
    }
    return changed;
  }

  #noteBefore(messages: readonly AgentMessage[]): void {
    for (const { tool } of messages.flatMap(namedTools)) {
      if (tool.kind === 'call' && tool.callId !== undefined) this.#before.set(callOf(tool), tool);
    }
  }

  /** To be asked of every part before anything of it is kept. */
  #fits({ says }: ToolPart): boolean {
    this.#parts += 1;
    this.#characters += says.length;
    this.overLimit ||= this.#parts > LIMITS.toolParts || this.#characters > LIMITS.toolCharacters;
    return !this.overLimit;
  }

  /** `isOld`: it counts as delivered, and that is all. */
  #deliver(tool: ToolPart, count: number, cut: number, isOld = false): boolean {
    if (count <= (this.#delivered.get(tool.says) ?? 0)) return false;
    this.#delivered.set(tool.says, count);
    if (isOld) return false;
    const changed = tool.kind === 'call' ? this.#begin(tool, cut) : this.#end(tool, cut);
    if (changed) this.version += 1;
    return changed;
  }

  #begin(tool: ToolPart, cut: number): boolean {
    const orphan = this.#orphans.get(callOf(tool));
    if (orphan) {
      this.#orphans.delete(callOf(tool));
      orphan.args = tool.content;
      orphan.version += 1;
      return true;
    }
    const step = this.#add(tool, cut);
    const early = this.#early.get(callOf(tool));
    const result = early?.shift();
    if (result) endStep(step, result);
    else this.#calls.get(callOf(tool))?.open.push(step);
    // The first result of a call counts (rule T4); without an id the others may be another call's.
    if (early?.length === 0 || tool.callId !== undefined) this.#early.delete(callOf(tool));
    return true;
  }

  #add(tool: ToolPart, cut: number): Step {
    const step = stepOf(tool, cut, this.#send);
    this.list.push(step);
    this.marks.push({ cut, step });
    const calls = this.#calls.get(callOf(tool));
    if (calls) calls.last = step;
    else this.#calls.set(callOf(tool), { open: [], next: 0, last: step });
    return step;
  }

  /** A result ends every open step of its call's id; without an id, the first open step of its name. */
  #end(tool: ToolPart, cut: number): boolean {
    const calls = this.#calls.get(callOf(tool));
    if (!calls) return this.#endUnknown(tool, cut);
    const { open, next, last } = calls;
    if (next < open.length) {
      calls.next = tool.callId === undefined ? next + 1 : open.length;
      for (const step of open.slice(next, calls.next)) endStep(step, tool);
      return true;
    }
    // Its step ended before the pause, so after the answer the call is made again, with the same arguments (rule T6).
    return last.send !== this.#send && endStep(this.#add({ ...tool, content: last.args }, cut), tool);
  }

  #endUnknown(tool: ToolPart, cut: number): boolean {
    const call = this.#send === 0 ? undefined : this.#before.get(callOf(tool));
    if (call) return endStep(this.#add(call, cut), tool);
    const early = this.#early.get(callOf(tool));
    if (early) early.push(tool);
    else this.#early.set(callOf(tool), [tool]);
    return false;
  }

  /** Each is a step of its own, without a call. Of one call's results the first counts. */
  #deliverEarly(end: number): void {
    for (const results of this.#early.values()) {
      const [{ callId } = {}] = results;
      for (const result of callId === undefined ? results : results.slice(0, 1)) {
        const step = this.#add({ ...result, content: undefined }, end);
        endStep(step, result);
        if (callId !== undefined) this.#orphans.set(callOf(result), step);
        this.version += 1;
      }
    }
    this.#early.clear();
  }

  #held(artifactId: string): Map<string, number> {
    const held = this.#heldBy.get(artifactId) ?? new Map<string, number>();
    this.#heldBy.set(artifactId, held);
    return held;
  }
}

const callOf = ({ callId, name }: ToolPart): string => (callId === undefined ? `name ${name}` : `id ${callId}`);

/** A message's own parts are told by its id and their index; without an id, by what they say. The user's are not read. */
function namedTools({ role, messageId, parts }: AgentMessage): NamedTool[] {
  if (role !== 'agent') return [];
  return parts.flatMap((part, index) => {
    const tool = toolPart(part);
    return tool ? [{ name: messageId === undefined ? tool.says : `${index} ${messageId}`, tool }] : [];
  });
}

function add(counts: Map<string, number>, says: string): number {
  const count = (counts.get(says) ?? 0) + 1;
  counts.set(says, count);
  return count;
}
