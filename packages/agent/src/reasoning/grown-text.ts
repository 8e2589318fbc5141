const TAIL_PIECES = 1_024;

/**
 * What one artifact has said of one kind, and from where on it counts: a text that the agent has taken back stays known,
 * so that its repetition is no news. It grows by pieces and is compared piece by piece; put together it would be copied
 * with every snapshot, and a peer that sends tiny ones would make us copy megabytes for each.
 */
export class GrownText {
  #blocks: string[] = [];
  #tail: string[] = [];
  #length = 0;
  /** Where what counts begins, in characters and as a block. */
  #liveFrom = 0;
  #liveBlock = 0;

  get length(): number {
    return this.#length;
  }

  /** Characters that count. */
  get liveLength(): number {
    return this.#length - this.#liveFrom;
  }

  append(text: string): void {
    this.#length += text.length;
    this.#tail.push(text);
    if (this.#tail.length >= TAIL_PIECES) this.#closeBlock();
  }

  /**
   * Replaces all of it; what stands before `liveFrom` (a place in `text`) does not count. Also for a text that only grew:
   * the rest of it, cut off and kept, would keep the whole snapshot behind it alive.
   */
  set(text: string, liveFrom = 0): void {
    this.#blocks = liveFrom === 0 ? [text] : [text.slice(0, liveFrom), text.slice(liveFrom)];
    this.#tail = [];
    this.#length = text.length;
    this.#liveFrom = liveFrom;
    this.#liveBlock = liveFrom === 0 ? 0 : 1;
  }

  /** Nothing of it counts from now on; what is appended later does. */
  retire(): void {
    this.#closeBlock();
    this.#liveFrom = this.#length;
    this.#liveBlock = this.#blocks.length;
  }

  equals(text: string): boolean {
    return text.length === this.#length && this.isPrefixOf(text);
  }

  isPrefixOf(text: string): boolean {
    return this.#length <= text.length && this.#standsIn(text, 0, 0);
  }

  /** Whether what counts stands in `text` at that place. */
  livesIn(text: string, at: number): boolean {
    return this.#standsIn(text, at, this.#liveBlock);
  }

  startsWith(text: string): boolean {
    if (text.length > this.#length) return false;
    let at = 0;
    for (const piece of this.#pieces(0)) {
      if (text.length - at <= piece.length) return piece.startsWith(text.slice(at));
      if (!text.startsWith(piece, at)) return false;
      at += piece.length;
    }
    return true;
  }

  /** What counts, as one string. */
  live(): string {
    return [...this.#pieces(this.#liveBlock)].join('');
  }

  #standsIn(text: string, from: number, block: number): boolean {
    let at = from;
    for (const piece of this.#pieces(block)) {
      if (!text.startsWith(piece, at)) return false;
      at += piece.length;
    }
    return true;
  }

  *#pieces(fromBlock: number): Generator<string, void, undefined> {
    for (let index = fromBlock; index < this.#blocks.length; index += 1) yield this.#blocks[index] ?? '';
    yield* this.#tail;
  }

  #closeBlock(): void {
    if (this.#tail.length === 0) return;
    this.#blocks.push(this.#tail.join(''));
    this.#tail = [];
  }
}
