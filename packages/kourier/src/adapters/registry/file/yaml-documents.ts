import {
  type Alias,
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';
import { LIMITS } from '../../../core/limits.ts';
import type { Report } from './problem.ts';

export type Path = readonly (string | number)[];

/** One text of YAML documents, with the name that its error lines carry. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** One document as plain data, and where its parts stand. */
export interface YamlDocument {
  readonly file: string;
  readonly value: unknown;
  /** The line of the key (or list item) that a path leads to, or of the nearest thing around it that is there. */
  line(path: Path): number;
}

/** The documents of a text. What cannot be read is reported, and the document left out; the parser's own words are not
 *  repeated, because they quote the text. */
export function yamlDocuments({ file, text }: Source, report: Report): readonly YamlDocument[] {
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    const line = text.slice(0, nul).split('\n').length;
    report({ file, line, what: 'a NUL byte', write: 'write YAML as plain UTF-8 text' });
    return [];
  }
  const lines = new LineCounter();
  const documents: YamlDocument[] = [];
  const composer = new Composer({
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  try {
    let count = 0;
    for (const document of composer.compose(tokensOf(text, lines))) {
      count += 1;
      const read =
        count > LIMITS.configurationDocuments ? tooMany(file, report) : readDocument(file, document, lines, report);
      if (read === 'stop') break;
      if (read !== undefined) documents.push(read);
    }
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    report({ file, line: lines.linePos(error.offset).line, ...TOO_DEEP });
  }
  return documents;
}

class TooDeep extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('nested too deeply');
    this.offset = offset;
  }
}

/** What the parser and the composer hold grows with the depth, faster than the text: they get no more than is read. */
function* tokensOf(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // Each level is one or two open collections, and their document.
    if (parser.stack.length > 4 * LIMITS.configurationDepth) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}

const TOO_DEEP = { what: 'nested too deeply', write: `keep it within ${LIMITS.configurationDepth} levels` };

const TOO_MANY_ALIASES = {
  what: 'too many aliases, or one without an end',
  write: `write out what it stands for: at most ${LIMITS.configurationAliases} aliases, none within itself`,
};

function tooMany(file: string, report: Report): 'stop' {
  report({ file, what: `more than ${LIMITS.configurationDocuments} documents`, write: 'split it into several files' });
  return 'stop';
}

function readDocument(
  file: string,
  document: Document.Parsed,
  lines: LineCounter,
  report: Report,
): YamlDocument | undefined {
  const lineAt = (offset: number | undefined): number => Math.max(1, lines.linePos(offset ?? 0).line);
  const written = [...document.errors, ...document.warnings];
  const exhausted = written.filter(({ code }) => code === 'RESOURCE_EXHAUSTION').slice(0, 1);
  const faults = exhausted.length > 0 ? exhausted : written;
  for (const { code, pos } of faults) report({ file, line: lineAt(pos[0]), ...faultWords(code) });
  if (faults.length > 0 || document.contents === null) return undefined;
  const start = document.contents.range[0];
  if (isScalar(document.contents) && document.contents.value === null) return undefined;
  const misshapen = shapeFaults(document.contents);
  for (const { offset, ...words } of misshapen) report({ file, line: lineAt(offset ?? start), ...words });
  if (misshapen.length > 0) return undefined;
  try {
    const value: unknown = document.toJS({ maxAliasCount: LIMITS.configurationAliases });
    return { file, value, line: (path) => lineAt(offsetOf(document, path) ?? start) };
  } catch {
    report({ file, line: lineAt(start), ...TOO_MANY_ALIASES });
    return undefined;
  }
}

function faultWords(code: ErrorCode): { what: string; write: string } {
  switch (code) {
    case 'BAD_INDENT':
      return { what: 'wrong indentation', write: 'put what belongs together at the same depth' };
    case 'TAB_AS_INDENT':
      return { what: 'a tab as indentation', write: 'indent with spaces' };
    case 'BAD_ALIAS':
      return { what: 'an alias without its anchor', write: 'write the value itself, in quotes if it begins with *' };
    case 'TAG_RESOLVE_FAILED':
    case 'MULTIPLE_TAGS':
      return { what: 'a tag that is not known', write: 'leave it out, or quote a value that begins with !' };
    case 'RESOURCE_EXHAUSTION':
      return TOO_DEEP;
    case 'NON_STRING_KEY':
      return { what: 'a key that is no text', write: 'write a plain key' };
    default:
      return { what: 'not YAML', write: 'look for a missing quote, bracket, colon or space here or just above' };
  }
}

interface ShapeFault {
  readonly what: string;
  readonly write: string;
  readonly offset?: number | undefined;
}

/**
 * What the composer does not check, or not in linear time: depth, aliases, keys that stand twice. With its own stack:
 * what it measures must not overflow ours.
 */
function shapeFaults(root: Node): readonly ShapeFault[] {
  const faults: ShapeFault[] = [];
  const anchors = new Set<string>();
  const aliases: Alias[] = [];
  const rest: { node: unknown; level: number }[] = [{ node: root, level: 1 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { node, level } = next;
    if (level > LIMITS.configurationDepth) return [{ ...TOO_DEEP, offset: offsetIn(node) }];
    if (isAlias(node)) aliases.push(node);
    else if (isNode(node) && node.anchor !== undefined) anchors.add(node.anchor);
    if (isMap(node)) {
      const keys = new Set<string>();
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        if (keys.has(name))
          faults.push({ what: 'this key stands here twice', write: 'keep one of them', offset: offsetIn(key) });
        keys.add(name);
        rest.push({ node: value, level: level + 1 });
      }
    }
    if (isSeq(node)) for (const item of node.items) rest.push({ node: item, level: level + 1 });
  }
  if (aliases.length > LIMITS.configurationAliases) return [{ ...TOO_MANY_ALIASES, offset: offsetIn(aliases[0]) }];
  const unknown = aliases.filter(({ source }) => !anchors.has(source));
  return [...faults, ...unknown.map((alias) => ({ ...faultWords('BAD_ALIAS'), offset: offsetIn(alias) }))];
}

const offsetIn = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

function offsetOf(document: Document.Parsed, path: Path): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    let place: unknown;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === String(step));
      [place, node] = [pair?.key, pair?.value];
    } else if (isSeq(node) && typeof step === 'number') {
      place = node.items[step];
      node = place;
    }
    const at = (place as Node | null | undefined)?.range?.[0];
    if (at === undefined) return offset;
    offset = at;
  }
  return offset;
}
