import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A folder to watch, and which names in it matter. */
export interface WatchedFolder {
  readonly folder: string;
  concerns(name: string): boolean;
}

/**
 * Tells that something in some folders may have changed. The system's watcher follows the folder, not its name: a
 * folder that was replaced is watched anew at the next `follow`.
 */
export class FolderWatch {
  readonly #changed: () => void;
  readonly #watchers = new Map<string, { readonly inode: bigint; readonly watcher: FSWatcher }>();
  #wanted: ReadonlyMap<string, WatchedFolder> = new Map();
  #closed = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Watches these folders from now on and no others. A folder that is not there is left to the poll. */
  async follow(folders: readonly WatchedFolder[]): Promise<void> {
    this.#wanted = new Map(folders.map((watched) => [watched.folder, watched]));
    for (const folder of this.#watchers.keys()) if (!this.#wanted.has(folder)) this.#drop(folder);
    for (const folder of this.#wanted.keys()) await this.#followOne(folder);
  }

  close(): void {
    this.#closed = true;
    for (const folder of this.#watchers.keys()) this.#drop(folder);
  }

  async #followOne(folder: string): Promise<void> {
    const stats = await stat(folder, { bigint: true }).catch(() => undefined);
    const known = this.#watchers.get(folder);
    if (this.#closed || (known !== undefined && known.inode === stats?.ino)) return;
    this.#drop(folder);
    if (stats?.isDirectory() !== true) return;
    try {
      const watcher = watch(folder, (_event, name) => {
        // Which names matter may have changed since.
        if (name === null || this.#wanted.get(folder)?.concerns(name) === true) this.#changed();
      });
      watcher.on('error', () => this.#drop(folder));
      this.#watchers.set(folder, { inode: stats.ino, watcher });
    } catch {
      // Out of watches, or gone since: the poll finds the change, only later.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
  }
}
