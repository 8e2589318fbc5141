import { stat } from 'node:fs/promises';

/** Changes when a file or folder does, also behind a symbolic link: for the poll that stands behind the watcher. */
export async function fileStamp(paths: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  for (const path of paths) {
    const stats = await stat(path, { bigint: true }).catch(() => undefined);
    stamps.push(stats === undefined ? 'none' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`);
  }
  return stamps.join('\n');
}
