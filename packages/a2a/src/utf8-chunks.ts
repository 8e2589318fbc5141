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

/** How many bytes at the end are the valid beginning of a sequence that more bytes would complete: 0 to 3. */
function unfinishedLength(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    if (sequenceLength(byte) <= back) return 0;
    return back === 1 || allowsSecond(byte, bytes[length - back + 1] ?? 0) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 1;
}

/** Some leads allow only part of the continuation bytes (no overlong form, no surrogate, nothing past U+10FFFF). */
function allowsSecond(lead: number, second: number): boolean {
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second <= 0x9f;
  if (lead === 0xf0) return second >= 0x90;
  if (lead === 0xf4) return second <= 0x8f;
  return true;
}
