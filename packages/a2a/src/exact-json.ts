declare global {
  interface JSON {
    /** Of every engine that this runs on; the compiler's library has it later. */
    rawJSON(text: string): object;
  }
}

/**
 * The value of a JSON text to be written again, whole or in part: numbers that a JavaScript number does not hold as they
 * are written (`1234567890123456789`, `1.0`, `1E400`) are objects that `JSON.stringify` writes as they came. So no number
 * is to be read from it. Throws a SyntaxError for what is no JSON; recurses as deep as the value nests.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, exact);
}

function exact(_name: string, value: unknown, ...[read]: { readonly source: string }[]): unknown {
  if (typeof value !== 'number' || read === undefined || String(value) === read.source) return value;
  return JSON.rawJSON(read.source);
}
