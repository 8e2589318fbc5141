/** Bytes or text as base64url without padding (RFC 7515 §2). */
export function base64url(content: Uint8Array | string): string {
  return Buffer.from(content).toString('base64url');
}

/** `undefined` when the text is no base64url, or has padding, white space, or bits that no byte takes. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
