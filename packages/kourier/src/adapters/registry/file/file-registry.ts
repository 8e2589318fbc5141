import { basename, dirname, join, resolve } from 'node:path';
import type { Configuration, Registry } from '../../../ports/registry.ts';
import { fileStamp } from './file-stamp.ts';
import { FolderWatch, type WatchedFolder } from './folder-watch.ts';
import { type ConfigurationPlace, type Reading, readConfiguration } from './read-configuration.ts';
import { isConfigurationFile } from './read-sources.ts';
import { SourceShapes } from './source-shapes.ts';

export interface FileRegistryOptions extends ConfigurationPlace {
  /** A change was refused: why, one line each. The last good configuration stays. */
  readonly warn: (problems: readonly string[]) => void;
  /** How often it is looked for what no watcher tells; 2 s when absent. */
  readonly pollEveryMs?: number;
  /** How long a file that was emptied may stay empty before it is taken at its word; 150 ms when absent. */
  readonly hesitateMs?: number;
}

export interface FileRegistry extends Registry {
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
export async function fileRegistry(options: FileRegistryOptions, read: Read = remembering()): Promise<FileRegistry> {
  const reading = await read(options);
  if (reading.configuration === undefined) throw new ConfigurationRefused(reading.problems);
  const registry = new LiveFiles(options, read, reading, reading.configuration);
  await registry.begin();
  return registry;
}

type Read = (place: ConfigurationPlace) => Promise<Reading>;

function remembering(): Read {
  const shapes = new SourceShapes();
  return (place) => readConfiguration(place, shapes);
}

class LiveFiles implements FileRegistry {
  readonly #options: FileRegistryOptions;
  readonly #read: Read;
  readonly #watch = new FolderWatch(() => this.#readIn(SETTLE_MS));
  readonly #watchers = new Set<(configuration: Configuration) => void>();
  #current: Configuration;
  #reading: Reading;
  /** The newest reading that was taken up, to see which file was emptied. */
  #good: Reading;
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

  constructor(options: FileRegistryOptions, read: Read, reading: Reading, configuration: Configuration) {
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
      const reading = await this.#read(this.#options);
      if (!this.#closed) this.#consider(reading);
      await this.#watch.follow(watchedFolders(this.#options, this.#reading));
    } finally {
      this.#busy = false;
      if (this.#again) this.#readIn(SETTLE_MS);
      this.#again = false;
    }
  }

  #consider(reading: Reading): void {
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
  #hesitates(reading: Reading): boolean {
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
    const { references, sources } = this.#reading;
    const secrets = secretsDir === undefined ? [] : references.map(({ name, key }) => join(secretsDir, name, key));
    return fileStamp([...paths, ...sources.map(({ file }) => file), ...secrets]);
  }
}

/** The paths themselves, the folders that they stand in (a link to another folder is an event there), and the secrets. */
function watchedFolders({ paths, secretsDir }: ConfigurationPlace, { references }: Reading): readonly WatchedFolder[] {
  const folders = new Map<string, ((name: string) => boolean)[]>();
  const add = (folder: string, concerns: (name: string) => boolean): void => {
    folders.set(folder, [...(folders.get(folder) ?? []), concerns]);
  };
  // A mounted ConfigMap or Secret changes by its hidden link `..data`.
  const isVersion = (name: string): boolean => name.startsWith('..');
  for (const path of paths.map((path) => resolve(path))) {
    add(path, (name) => isVersion(name) || isConfigurationFile(name));
    add(dirname(path), (name) => isVersion(name) || name === basename(path));
  }
  if (secretsDir !== undefined) {
    add(resolve(secretsDir), () => true);
    for (const { name } of references) add(resolve(secretsDir, name), () => true);
  }
  return [...folders].map(([folder, tests]) => ({ folder, concerns: (name) => tests.some((test) => test(name)) }));
}

function hasEmptied(before: Reading, now: Reading): boolean {
  const was = new Map(before.sources.map(({ file, text }) => [file, text]));
  return now.sources.some(({ file, text }) => text.trim() === '' && (was.get(file) ?? '').trim() !== '');
}
