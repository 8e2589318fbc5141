import { parseJson } from '@agentkourier/a2a/json-value';
import type { AgentEvent, ArtifactEvent } from '../../../core/reply/agent-event.ts';

/** Templates that are tried before a stream counts as one whose frames are never alike. */
const ATTEMPTS = 4;
/** What is around the words is kept for as long as the stream: of a longer frame that would be much, and save little. */
const LEARNED_CHARACTERS = 16 * 1_024;
/** As programs write the member that holds a part's words. */
const MEMBERS = ['"text":', '"text": '];

/**
 * The frames of an answer mostly differ in nothing but the words of their one text part. Once a frame has shown where
 * those stand, of the next that is the same around them only that string is parsed: a string of JSON, whole in itself,
 * changes nothing outside it.
 */
export class AlikeFrames {
  readonly #read: (frame: string) => AgentEvent | undefined;
  #before = '';
  #after = '';
  #event: ArtifactEvent | undefined;
  #attempts = ATTEMPTS;

  /** `read`: what a whole frame says. */
  constructor(read: (frame: string) => AgentEvent | undefined) {
    this.#read = read;
  }

  /** The event of a frame that is like the one learned; `undefined`: it has to be read whole. */
  recall(frame: string): ArtifactEvent | undefined {
    const event = this.#event;
    const end = frame.length - this.#after.length;
    if (event === undefined || end < this.#before.length + 2) return undefined;
    // Slices are compared a word at a time, which startsWith and endsWith do not do.
    if (frame.slice(0, this.#before.length) !== this.#before || frame.slice(end) !== this.#after) return undefined;
    // Only a text that begins and ends as a string, so that nothing but a string can come of it.
    if (frame[this.#before.length] !== '"') return undefined;
    const text = parseJson(frame.slice(this.#before.length, end));
    return typeof text === 'string' ? withText(event, text) : undefined;
  }

  /** To be told of each frame that was read whole. */
  learn(frame: string, event: AgentEvent): void {
    if (this.#attempts === 0 || event.kind !== 'artifact' || frame.length > LEARNED_CHARACTERS) return;
    const [part, ...more] = event.artifact.parts;
    if (part?.kind !== 'text' || more.length > 0) return;
    this.#attempts -= 1;
    const words = JSON.stringify(part.text);
    const member = MEMBERS.find((one) => frame.includes(one + words));
    if (member === undefined) return;
    const at = frame.indexOf(member + words) + member.length;
    const [before, after] = [frame.slice(0, at), frame.slice(at + words.length)];
    // The same words may stand elsewhere in the frame: others in this place must come out as the part's.
    const others = `${part.text}.`;
    const changed = this.#read(before + JSON.stringify(others) + after);
    if (JSON.stringify(changed) !== JSON.stringify(withText(event, others))) return;
    [this.#before, this.#after, this.#event] = [before, after, event];
  }
}

/** Members in the order in which a frame's own event has them. */
function withText(event: ArtifactEvent, text: string): ArtifactEvent {
  const { artifactId, parts } = event.artifact;
  const [part] = parts;
  const thought = part?.kind === 'text' && part.thought;
  return { ...event, artifact: { artifactId, parts: [{ kind: 'text', text, thought }] } };
}
