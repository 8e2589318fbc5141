import { createReadStream } from 'node:fs';

/**
 * A file, or standard input for `-`, as UTF-8. Throws Node's errors, and a RangeError as soon as it is over `maxBytes`: a
 * device has no size and no end.
 */
export async function readText(path: string, maxBytes: number): Promise<string> {
  const stream = path === '-' ? process.stdin : createReadStream(path);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBytes) throw new RangeError(`over ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
