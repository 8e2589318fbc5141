import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LIMITS } from '../../../core/limits.ts';
import type { Report } from './problem.ts';
import { type FileText, faultWords, readFileText } from './read-file.ts';
import type { Source } from './yaml-documents.ts';

/** Hidden names are left out, and with them the `..data` folders that a mounted ConfigMap keeps its versions in. */
export const isConfigurationFile = (name: string): boolean => /^[^.].*\.ya?ml$/i.test(name);

/** The files that the paths name, a folder's in the order of their names, and not those of its folders. */
export async function readSources(paths: readonly string[], report: Report): Promise<readonly Source[]> {
  const files = new Map<string, string>();
  for (const path of paths) for (const file of await filesOf(path, report)) files.set(resolve(file), file);
  if (files.size > LIMITS.configurationFiles) {
    const write = `put several documents into one file, separated by ---`;
    report({ file: paths.join(', '), what: `more than ${LIMITS.configurationFiles} files`, write });
    return [];
  }
  const sources: Source[] = [];
  let characters = 0;
  for (const batch of batches([...files.values()])) {
    for (const [file, read] of await Promise.all(batch.map(readOne))) {
      if (read.kind === 'fault') report({ file, what: read.what, write: read.write });
      else sources.push({ file, text: read.text });
      characters += read.kind === 'text' ? read.text.length : 0;
      if (characters <= LIMITS.configurationBytes) continue;
      const what = `the configuration is larger than ${LIMITS.configurationBytes / 1_048_576} MiB`;
      report({ file, what, write: 'leave out what is not needed' });
      return [];
    }
  }
  return sources;
}

const readOne = async (file: string): Promise<readonly [string, FileText]> => [
  file,
  await readFileText(file, LIMITS.configurationFileBytes),
];

/** Some at a time: many small files are read quickly, and many large ones are not in memory together. */
function* batches(files: readonly string[], size = 8): Generator<readonly string[]> {
  for (let from = 0; from < files.length; from += size) yield files.slice(from, from + size);
}

async function filesOf(path: string, report: Report): Promise<readonly string[]> {
  try {
    const stats: Stats = await stat(path);
    if (!stats.isDirectory()) return [path];
    const names = (await readdir(path)).filter(isConfigurationFile).sort();
    if (names.length === 0)
      report({ file: path, what: 'a folder without a *.yaml or *.yml file', write: 'put one there, or name another' });
    return names.map((name) => join(path, name));
  } catch (error) {
    report({ file: path, ...faultWords(error) });
    return [];
  }
}
