import { basename, dirname, join, resolve } from 'node:path';
import { fileStamp } from './file-stamp.ts';
import { FolderWatch, type WatchedFolder } from './folder-watch.ts';
import type { ConfigurationPlace, Read, Reading } from './read-product.ts';
import { isConfigurationFile } from './read-sources.ts';

export interface FileRegistryOptions extends ConfigurationPlace {
  /** A change was refused: why, one line each. The last good configuration stays. */
  readonly warn: (problems: readonly string[]) => void;
  /** How often it is looked for what no watcher tells; 2 s when absent. */
  readonly pollEveryMs?: number;
  /** How long a file that was emptied may stay empty before it is taken at its word; 150 ms when absent. */
  readonly hesitateMs?: number;
}

/** The port `Registry` of the courier, or `SpaceRegistry`: they say the same of their configurations. */
export interface FileRegistry<Configuration> {
  current(): Configuration;
  watch(changed: (configuration: Configuration) => void): () => void;
  problems(): readonly string[];
  /** Ends the watching. */
  close(): void;
}

/** The first configuration cannot be used; one line for each reason, as in `Registry.problems`. */
export class ConfigurationRefused extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super('the configuration is refused');
    this.problems = problems;
  }
}

/** Editors and `cp` write in several steps: a change is read when nothing has moved for so long. */
const SETTLE_MS = 20;
/** But something that moves all the time must not put it off for ever. */
const SETTLE_MAX_MS = 100;
/** A file that was emptied is most likely being written. */
const HESITATE_MS = 150;
const POLL_EVERY_MS = 2_000;

/**
 * Configuration from YAML files, taken up again whenever one of them changes. Throws `ConfigurationRefused` when there
 * is anything wrong with it at the start.
 */
export async function fileRegistry<Configuration>(
  options: FileRegistryOptions,
  read: Read<Configuration>,
): Promise<FileRegistry<Configuration>> {
  const reading = await read(options);
  if (reading.configuration === undefined) throw new ConfigurationRefused(reading.problems);
  const registry = new LiveFiles(options, read, reading, reading.configuration);
  await registry.begin();
  return registry;
}

class LiveFiles<Configuration> implements FileRegistry<Configuration> {
  readonly #options: FileRegistryOptions;
  readonly #read: Read<Configuration>;
  readonly #watch = new FolderWatch(() => this.#readIn(SETTLE_MS));
  readonly #watchers = new Set<(configuration: Configuration) => void>();
  #current: Configuration;
  #reading: Reading<Configuration>;
  /** The newest reading that was taken up, to see which file was emptied. */
  #good: Reading<Configuration>;
  /** When a file was first seen empty that had something in it. */
  #emptySince: number | undefined;
  #problems: readonly string[] = [];
  #stamp = '';
  #movingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #busy = false;
  #again = false;
  #closed = false;

  constructor(
    options: FileRegistryOptions,
    read: Read<Configuration>,
    reading: Reading<Configuration>,
    configuration: Configuration,
  ) {
    this.#options = options;
    this.#read = read;
    this.#reading = reading;
    this.#good = reading;
    this.#current = configuration;
  }

  current(): Configuration {
    return this.#current;
  }

  problems(): readonly string[] {
    return this.#problems;
  }

  watch(changed: (configuration: Configuration) => void): () => void {
    // A function of its own, so that the same callback can watch twice.
    const watcher = (configuration: Configuration): void => changed(configuration);
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    this.#watch.close();
  }

  async begin(): Promise<void> {
    await this.#watch.follow(watchedFolders(this.#options, this.#reading));
    // What changed between the first reading and the watching has no event.
    await this.#readAgain();
    this.#poll = setInterval(() => void this.#pollOnce(), this.#options.pollEveryMs ?? POLL_EVERY_MS);
  }

  #readIn(delayMs: number): void {
    if (this.#closed) return;
    const now = performance.now();
    this.#movingSince ??= now;
    clearTimeout(this.#timer);
    const leftMs = Math.max(0, this.#movingSince + Math.max(SETTLE_MAX_MS, delayMs) - now);
    this.#timer = setTimeout(() => void this.#readAgain(), Math.min(delayMs, leftMs));
  }

  async #readAgain(): Promise<void> {
    this.#movingSince = undefined;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    this.#busy = true;
    try {
      // Before the reading: what changes during it differs at the next poll.
      this.#stamp = await this.#stampNow();
      const reading = await this.#read(this.#options, this.#current);
      if (!this.#closed) this.#consider(reading);
      await this.#watch.follow(watchedFolders(this.#options, this.#reading));
      // What a reading was the first to refer to may have changed before it was watched.
      if ((await this.#stampNow()) !== this.#stamp) this.#again = true;
    } finally {
      this.#busy = false;
      if (this.#again) this.#readIn(SETTLE_MS);
      this.#again = false;
    }
  }

  #consider(reading: Reading<Configuration>): void {
    if (this.#hesitates(reading) || reading.fingerprint === this.#reading.fingerprint) return;
    this.#reading = reading;
    this.#problems = reading.problems;
    if (reading.configuration === undefined) {
      this.#options.warn(reading.problems);
      return;
    }
    this.#good = reading;
    this.#current = reading.configuration;
    for (const watcher of [...this.#watchers]) watcher(reading.configuration);
  }

  /** By the time and not by the readings, since whoever writes may empty a file more than once. */
  #hesitates(reading: Reading<Configuration>): boolean {
    const now = performance.now();
    this.#emptySince = hasEmptied(this.#good, reading) ? (this.#emptySince ?? now) : undefined;
    if (this.#emptySince === undefined) return false;
    const leftMs = this.#emptySince + (this.#options.hesitateMs ?? HESITATE_MS) - now;
    if (leftMs > 0) this.#readIn(leftMs);
    return leftMs > 0;
  }

  async #pollOnce(): Promise<void> {
    if ((await this.#stampNow()) !== this.#stamp) this.#readIn(SETTLE_MS);
  }

  #stampNow(): Promise<string> {
    const { paths, secretsDir } = this.#options;
    const { references, sources, attached } = this.#reading;
    const secrets = secretsDir === undefined ? [] : references.map(({ name, key }) => join(secretsDir, name, key));
    return fileStamp([...paths, ...[...sources, ...attached].map(({ file }) => file), ...secrets]);
  }
}

/**
 * The paths themselves, the folders that they stand in (a link to another folder is an event there), those of the files
 * that documents refer to, and the secrets.
 */
function watchedFolders(
  { paths, secretsDir }: ConfigurationPlace,
  { references, attached }: Reading<unknown>,
): readonly WatchedFolder[] {
  const folders = new Map<string, ((name: string) => boolean)[]>();
  const add = (folder: string, concerns: (name: string) => boolean): void => {
    folders.set(folder, [...(folders.get(folder) ?? []), concerns]);
  };
  // A mounted ConfigMap or Secret changes by its hidden link `..data`.
  const isVersion = (name: string): boolean => name.startsWith('..');
  const addFile = (file: string): void => add(dirname(file), (name) => isVersion(name) || name === basename(file));
  for (const path of paths.map((path) => resolve(path))) {
    add(path, (name) => isVersion(name) || isConfigurationFile(name));
    addFile(path);
  }
  for (const { file } of attached) addFile(file);
  if (secretsDir !== undefined) {
    add(resolve(secretsDir), () => true);
    for (const { name } of references) add(resolve(secretsDir, name), () => true);
  }
  return [...folders].map(([folder, tests]) => ({ folder, concerns: (name) => tests.some((test) => test(name)) }));
}

function hasEmptied(before: Reading<unknown>, now: Reading<unknown>): boolean {
  const was = new Map(textsOf(before));
  return textsOf(now).some(([file, text]) => text.trim() === '' && (was.get(file) ?? '').trim() !== '');
}

function textsOf({ sources, attached }: Reading<unknown>): readonly (readonly [file: string, text: string])[] {
  return [
    ...sources.map(({ file, text }) => [file, text] as const),
    ...attached.flatMap(({ file, read }) => (read.kind === 'text' ? [[file, read.text] as const] : [])),
  ];
}
