const PIECES_MAX = 1_024;

/**
 * A text that grows by pieces and is read once. A plain `+=` keeps a node for each piece, so that a peer that writes
 * byte by byte would make us hold thirty times the text; here the pieces are joined block by block.
 */
export class TextPieces {
  #blocks: string[] = [];
  #pieces: string[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    this.#length += text.length;
    this.#pieces.push(text);
    if (this.#pieces.length < PIECES_MAX) return;
    this.#blocks.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  /** The whole text; empty afterwards. */
  take(): string {
    const text = this.#blocks.length === 0 ? this.#pieces.join('') : this.#blocks.join('') + this.#pieces.join('');
    this.clear();
    return text;
  }

  clear(): void {
    if (this.#blocks.length > 0) this.#blocks = [];
    if (this.#pieces.length > 0) this.#pieces = [];
    this.#length = 0;
  }
}
