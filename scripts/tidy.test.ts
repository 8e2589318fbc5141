// What no linter says, held over the files that git knows. A failing line names the file and what to do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { test } from 'node:test';

const MAX_LINES = 300;
/** May only shrink: a file over the limit, with the length it has now. Take a file off when it is cut up. */
const LONGER_FOR_NOW: Readonly<Record<string, number>> = {};
const MAX_BYTES = 300 * 1_024;

const CODE = ['.ts', '.tsx', '.mjs', '.css'];
const IMAGES = ['.png', '.jpg', '.gif', '.webp', '.svg'];

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(file));
const code = files.filter((file) => CODE.includes(extname(file)));
const texts = files.filter((file) => !IMAGES.includes(extname(file)) && file !== 'scripts/tidy.test.ts');
const read = (file: string): string => readFileSync(file, 'utf8');
const lines = (file: string): readonly string[] => read(file).trimEnd().split('\n');

test(`a code file has at most ${MAX_LINES} lines`, () => {
  const wrong = code.flatMap((file) => {
    const length = lines(file).length;
    const allowed = LONGER_FOR_NOW[file] ?? MAX_LINES;
    if (length > allowed)
      return [`${file}: ${length} lines, and ${allowed} are allowed; move one duty into a file of its own`];
    if (file in LONGER_FOR_NOW && length < allowed)
      return [`${file}: only ${length} lines now; lower or remove its entry`];
    return [];
  });
  assert.deepEqual(wrong, []);
});

test('a document that everybody reads stays short', () => {
  const limits = { 'ARCHITECTURE.md': 250, 'STYLE.md': 150 };
  const wrong = Object.entries(limits).flatMap(([file, max]) =>
    lines(file).length > max ? [`${file}: over ${max} lines`] : [],
  );
  assert.deepEqual(wrong, []);
});

test('no file is large but images', () => {
  const large = files.filter((file) => !IMAGES.includes(extname(file)) && statSync(file).size > MAX_BYTES);
  assert.deepEqual(large, [], 'make it smaller, or make it when it is needed');
});

const WAITS: readonly [RegExp, string][] = [
  [/\bset(Timeout|Interval)\(/, 'wait for the event itself, or drive a clock of your own'],
  [/^(?!import \{ setImmediate\b[^,]*\}).*timers\/promises/, 'wait for the event itself'],
  [/\bsleep\(/, 'wait for the event itself'],
];

test('a test waits for signals, never for time', () => {
  assert.deepEqual(
    found(
      texts.filter((file) => /\.test\.ts$|\/contract\//.test(file)),
      WAITS,
    ),
    [],
  );
});

const NAMES: readonly [RegExp, string][] = [
  [/(^|-)(manager|service|handler|processor)s?(-|\.)/, 'name the thing, or what it does'],
  [/(^|-)(utils?|common|helpers?|misc)(-|\.|$)/, 'name what is in it; if there is no name, it is two files'],
  [/^types?\./, 'put a type beside what makes it'],
];

test('a file has a name that says what it is', () => {
  const wrong = code.flatMap((file) =>
    NAMES.filter(([word]) => word.test(basename(file))).map(([, instead]) => `${file}: ${instead}`),
  );
  const barrels = code.filter((file) => basename(file) === 'index.ts' && file !== 'packages/agent/src/index.ts');
  assert.deepEqual([...wrong, ...barrels.map((file) => `${file}: no barrels; import the file that has it`)], []);
});

const WORDS: readonly [RegExp, string][] = [
  [/(?<!`)\b(TODO|FIXME|XXX)\b(?!\(#\d+\))/, 'do it, or file an issue and write TODO(#number)'],
  [
    /(?<![\w.:/-])\/(work|root|home|Users)\//,
    'a path of one machine: make it relative, or take it from the environment',
  ],
  [
    /registry\.(npmjs|yarnpkg|npmmirror)\.|"resolved": "http/,
    'no registry host: everybody has their own (npm: omit-lockfile-registry-resolved)',
  ],
  [
    /co-authored-by:|generated (by|with) (an?|the) (assistant|model|tool)|as requested|previous session|the brief\b/i,
    'the project speaks of itself alone',
  ],
  [/[ \t]+$(?<!^)/, 'no white space at the end of a line'],
];

test('no text says what it must not', () => {
  assert.deepEqual(
    found(
      texts.filter((file) => !/fixtures|testdata|^LICENSE$/.test(file)),
      WORDS,
    ),
    [],
  );
});

function found(where: readonly string[], banned: readonly [RegExp, string][]): string[] {
  return where.flatMap((file) =>
    lines(file).flatMap((line, index) =>
      banned
        .filter(([word]) => word.test(line))
        .map(([word, instead]) => `${file}:${index + 1}: ${word.exec(line)?.[0]}: ${instead}`),
    ),
  );
}
