import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fault'; readonly what: string; readonly write: string };

/** A whole file as UTF-8, within a limit; never blocks on what is no regular file, never throws. */
export async function readFileText(path: string, maxBytes: number): Promise<FileText> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await requireFile(file);
    if (size > maxBytes) return tooLarge(maxBytes);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(maxBytes + 1), 0, maxBytes + 1, 0);
    if (bytesRead > maxBytes) return tooLarge(maxBytes);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
    return { kind: 'text', text };
  } catch (error) {
    return { kind: 'fault', ...faultWords(error) };
  } finally {
    await file?.close();
  }
}

class NoRegularFile extends Error {}

async function requireFile(file: FileHandle): Promise<{ size: number }> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new NoRegularFile();
  return stats;
}

function tooLarge(maxBytes: number): FileText {
  return { kind: 'fault', what: `larger than ${maxBytes / 1_024} KiB`, write: 'split it into smaller files' };
}

export function faultWords(error: unknown): { what: string; write: string } {
  if (error instanceof NoRegularFile)
    return { what: 'no regular file', write: 'name a file, or move this out of the folder' };
  if (error instanceof TypeError) return { what: 'not UTF-8', write: 'save it as UTF-8 text' };
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { what: 'not there', write: 'check the path' };
  if (code === 'EACCES' || code === 'EPERM')
    return { what: 'cannot be read', write: 'give the user of this process the right to read it' };
  return { what: `cannot be read (${code})`, write: 'check the path and the disk' };
}
