import { TextPieces } from './text-pieces.ts';
import { Utf8Chunks } from './utf8-chunks.ts';

export interface SseOptions {
  /**
   * The longest line, the longest data of one event, and the longest body that begins like an object and has no event, in
   * UTF-16 units (never more than the bytes on the wire).
   */
  readonly maxFrameLength: number;
  /** Called with the data of each event, in order; must not throw. `enough` ends the reading. */
  readonly onData: (data: string) => 'more' | 'enough';
}

/** `more`: give the next chunk. The others are for good: later chunks are ignored. */
export type SseState = 'more' | 'enough' | 'too-large';

export interface SseEnd {
  /** Events that were dispatched. */
  readonly frames: number;
  /** The input ended inside an event: it was not dispatched, and something is missing (case C025). */
  readonly unterminated: boolean;
  /**
   * Only when no event was dispatched: what may be a JSON-RPC response all the same (case C025). The body itself when it
   * begins like an object, else the data of the event that was not terminated.
   */
  readonly residue?: string;
}

const LF = 0x0a;
const SPACE = 0x20;
const BRACE = 0x7b;

/**
 * Server-sent events, byte chunks in, data out; every split of the bytes gives the same result (cases C037 to C043).
 * Always UTF-8. Lines end with CR, LF or CR LF and nothing else. Comments and all fields but `data` are skipped, the
 * event's name among them (case C032). Data lines are joined by LF; empty data dispatches nothing.
 */
export class SseReader {
  readonly #maxLength: number;
  readonly #onData: SseOptions['onData'];
  readonly #utf8 = new Utf8Chunks();
  /** The beginning of a line whose end has not come yet. */
  readonly #held = new TextPieces();
  /** The data lines of the event so far. */
  readonly #data = new TextPieces();
  #hasData = false;
  /** The body from its beginning, while it may still turn out to be no event stream. */
  #body: TextPieces | undefined;
  #begun = false;
  #afterCr = false;
  #frames = 0;
  #state: SseState = 'more';

  constructor({ maxFrameLength, onData }: SseOptions) {
    this.#maxLength = maxFrameLength;
    this.#onData = onData;
  }

  /** Events dispatched so far. */
  get frames(): number {
    return this.#frames;
  }

  /** UTF-16 units that wait for the rest of their event, those twice that may be no event stream. */
  get held(): number {
    return this.#held.length + this.#data.length + (this.#body?.length ?? 0);
  }

  push(chunk: Uint8Array): SseState {
    if (this.#state === 'more') this.#take(this.#utf8.decode(chunk));
    return this.#state;
  }

  /** The end of the input. To be called once, and nothing after it. */
  end(): SseEnd {
    if (this.#state === 'more') {
      this.#take(this.#utf8.end());
      const line = this.#held.take();
      if (line !== '') this.#line(line, 0, line.length);
    }
    const ended = { frames: this.#frames, unterminated: this.#hasData };
    if (this.#frames > 0 || this.#state !== 'more') return ended;
    if (this.#body !== undefined) return { ...ended, residue: this.#body.take() };
    return this.#hasData ? { ...ended, residue: this.#data.take() } : ended;
  }

  #take(decoded: string): void {
    if (decoded === '') return;
    let text = decoded;
    if (!this.#begun) text = this.#begin(text);
    if (this.#frames === 0) this.#keepBody(text);
    if (this.#state !== 'more') return;
    if (this.#afterCr) {
      this.#afterCr = false;
      if (text.charCodeAt(0) === LF) text = text.slice(1);
    }
    if (text.includes('\r')) {
      this.#afterCr = text.endsWith('\r');
      text = text.replace(/\r\n?/g, '\n');
    }
    this.#lines(text);
  }

  #lines(text: string): void {
    let start = 0;
    let end = text.indexOf('\n');
    if (end !== -1 && this.#held.length > 0) {
      this.#held.add(text.slice(0, end));
      const line = this.#held.take();
      this.#line(line, 0, line.length);
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    while (end !== -1 && this.#state === 'more') {
      // Nearly every event is one data line and a blank one: taken in one step.
      if (!this.#hasData && text.charCodeAt(end + 1) === LF && text.startsWith('data:', start)) {
        if (end - start > this.#maxLength) this.#state = 'too-large';
        else this.#dispatch(text.slice(valueStart(text, start + 5), end));
        start = end + 2;
      } else {
        this.#line(text, start, end);
        start = end + 1;
      }
      end = text.indexOf('\n', start);
    }
    if (this.#state === 'more' && start < text.length) this.#hold(start === 0 ? text : text.slice(start));
  }

  #line(text: string, start: number, end: number): void {
    if (end - start > this.#maxLength) {
      this.#state = 'too-large';
    } else if (start === end) {
      if (!this.#hasData) return;
      this.#hasData = false;
      this.#dispatch(this.#data.take());
    } else if (text.startsWith('data:', start)) {
      this.#addData(text.slice(valueStart(text, start + 5), end));
    } else if (end - start === 4 && text.startsWith('data', start)) {
      this.#addData('');
    }
  }

  #addData(value: string): void {
    this.#data.add(this.#hasData ? `\n${value}` : value);
    this.#hasData = true;
    if (this.#data.length > this.#maxLength) this.#tooLarge();
  }

  #dispatch(data: string): void {
    if (data === '') return;
    this.#frames += 1;
    this.#body = undefined;
    if (this.#onData(data) === 'enough') this.#state = 'enough';
  }

  #hold(text: string): void {
    this.#held.add(text);
    if (this.#held.length > this.#maxLength) this.#tooLarge();
  }

  #tooLarge(): void {
    this.#state = 'too-large';
    this.#held.clear();
    this.#data.clear();
    this.#body = undefined;
  }

  /** A byte order mark is skipped; then the first character tells whether this may be a bare JSON object. */
  #begin(text: string): string {
    this.#begun = true;
    this.#body = new TextPieces();
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  #keepBody(text: string): void {
    const body = this.#body;
    if (body === undefined) return;
    const kept = body.length === 0 ? text.trimStart() : text;
    if (kept === '') return;
    if (body.length === 0 && kept.charCodeAt(0) !== BRACE) this.#body = undefined;
    else body.add(kept);
    if (body.length > this.#maxLength) this.#tooLarge();
  }
}

function valueStart(text: string, afterColon: number): number {
  return text.charCodeAt(afterColon) === SPACE ? afterColon + 1 : afterColon;
}
