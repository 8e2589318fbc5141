const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const NO_BYTES = new Uint8Array(0);

/**
 * Decodes UTF-8 that arrives in chunks: the texts joined are the same for every split of the bytes, and an invalid
 * sequence becomes U+FFFD. Holds back at most three bytes. The decoder's own `stream` mode would do the same, but
 * leaves the fast path of the runtimes that we measured.
 */
export class Utf8Chunks {
  #tail: Uint8Array = NO_BYTES;

  decode(chunk: Uint8Array): string {
    const bytes = this.#tail.length === 0 ? chunk : joined(this.#tail, chunk);
    const whole = bytes.length - unfinishedLength(bytes);
    if (whole === bytes.length) {
      this.#tail = NO_BYTES;
      return DECODER.decode(bytes);
    }
    this.#tail = bytes.slice(whole);
    return DECODER.decode(bytes.subarray(0, whole));
  }

  /** What is left at the end of the input: a sequence that was cut short, or nothing. */
  end(): string {
    const rest = DECODER.decode(this.#tail);
    this.#tail = NO_BYTES;
    return rest;
  }
}

function joined(head: Uint8Array, chunk: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(head.length + chunk.length);
  bytes.set(head);
  bytes.set(chunk, head.length);
  return bytes;
}

/**
 * How many bytes at the end may be the beginning of a sequence that more bytes would complete: 0 to 3. A sequence that
 * turns out invalid decodes to the same text later.
 */
function unfinishedLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
