import { stat } from 'node:fs/promises';

/** Changes when a file or folder does, also behind a symbolic link: for the poll that stands behind the watcher. */
export async function fileStamp(paths: readonly string[]): Promise<string> {
  const stamps = await Promise.all(paths.map(stampOf));
  return stamps.join('\n');
}

async function stampOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
