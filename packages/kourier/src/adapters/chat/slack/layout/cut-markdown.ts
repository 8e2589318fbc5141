import { bytesOf, graphemeBound, indexAtBytes } from './measure.ts';

interface Fence {
  readonly mark: string;
  readonly info: string;
}

/** What a message inside of a text has to begin with, so that what follows reads as it did. */
export interface Carried {
  readonly fence?: Fence;
  /** Of the table that goes on: its head and the line below it. */
  readonly table?: string;
}

export interface Room {
  readonly bytes: number;
  /** Blocks that Slack makes of it. */
  readonly blocks: number;
}

export interface Cut {
  /** The piece of the text that was taken; empty: the room is too small for a sensible piece. */
  readonly raw: string;
  /** The piece with what opens and closes it. */
  readonly shown: string;
  readonly rest: string;
  readonly carried: Carried;
  readonly blocks: number;
}

const OPENS = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,40}|~{3,40})([^`\n]*)\n?$/;
const HEADING = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:[-*_] *){3,}$)/;
const INFO_CHARACTERS = 40;
const TABLE_HEAD_BYTES = 1_500;
/** What is looked at around a cut to find what must stay whole. */
const LOOK_AROUND = 2_000;
/** Of a line, where a bar shows that it is a row. */
const ROW_CHARACTERS = 80;
/** A long line rather begins in the next message than with so little of it in this one. */
const SMALL_ROOM_BYTES = 2_000;
/** What must not be cut in two: links, addresses, code, entities, names. */
const WHOLE = /!?\[[^\]\n]*\]\([^)\n]*\)|https?:\/\/\S+|`[^`\n]+`|&[a-z]+;|@\u2060?\p{L}+/giu;

/** Where the reader of Markdown stands at the beginning of a line. */
interface State extends Carried {
  readonly before: string;
  readonly inside: boolean;
  readonly blocks: number;
}

/**
 * Takes from a text what fits into one message (case C164). A fence that goes on is closed and opened again with its
 * language, a table begins again with its head. It is cut between paragraphs, else lines, else words, and never in a
 * character. `whole`: nothing else stands in the room, so something is taken in any case.
 */
export function cutMarkdown(text: string, room: Room, carried: Carried, whole: boolean): Cut {
  const opening = opens(carried, text);
  let state: State = { ...carried, before: '', inside: false, blocks: opening === '' ? 0 : 1 };
  const left = room.bytes - bytesOf(opening);
  let used = 0;
  let at = 0;
  let blank: { readonly at: number; readonly used: number; readonly state: State } | undefined;
  while (at < text.length) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, end);
    const next = advance(state, line);
    const cost = bytesOf(line);
    if (used + cost + closingBytes(next) > left || next.blocks > room.blocks) break;
    state = next;
    used += cost;
    at = end;
    if (line.trim() === '' && state.fence === undefined) blank = { at, used, state };
  }
  if (at >= text.length) return taken(text, text.length, opening, state, false);
  if (blank !== undefined && blank.used >= left / 2) return taken(text, blank.at, opening, blank.state, true);
  if (used >= left / 4 || state.blocks >= room.blocks) return taken(text, at, opening, state, true);
  if (!whole && at === 0 && left < SMALL_ROOM_BYTES) return nothing(text, carried);
  const space = left - used - closingBytes(state);
  const within = at + lineCut(text.slice(at), space);
  if (within > at) return taken(text, within, opening, state, true);
  return at > 0 || !whole
    ? taken(text, at, opening, state, true)
    : taken(text, graphemeBound(text, 1), opening, state, true);
}

function nothing(rest: string, carried: Carried): Cut {
  return { raw: '', shown: '', rest, carried, blocks: 0 };
}

function taken(text: string, at: number, opening: string, state: State, goesOn: boolean): Cut {
  const raw = text.slice(0, at);
  const carried: Carried = {
    ...(state.fence && { fence: state.fence }),
    // Inside of a row there is nothing to go on with.
    ...(state.table !== undefined && (at === text.length || raw.endsWith('\n')) && { table: state.table }),
  };
  const body = goesOn && state.fence === undefined ? raw.trimEnd() : raw;
  const shown = opening + (goesOn ? closed(body, carried) : body);
  return { raw, shown, rest: text.slice(at), carried, blocks: state.blocks };
}

/** A text whose fence goes on elsewhere, with the fence closed. */
export function closed(text: string, { fence }: Carried): string {
  if (fence === undefined) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence.mark}`;
}

function opens({ fence, table }: Carried, text: string): string {
  if (fence !== undefined) return `${fence.mark}${fence.info}\n`;
  const [row = ''] = text.slice(0, ROW_CHARACTERS).split('\n', 1);
  const goesOn = row.includes('|');
  return goesOn ? (table ?? '') : '';
}

const closingBytes = ({ fence }: Carried): number => (fence === undefined ? 0 : fence.mark.length + 1);

function advance(state: State, line: string): State {
  const { fence, blocks, before } = state;
  if (fence !== undefined) return closes(line, fence) ? { before: '', inside: false, blocks } : state;
  const opened = OPENS.exec(line);
  if (opened?.[1] !== undefined) {
    const info = (opened[2] ?? '').trim().slice(0, INFO_CHARACTERS);
    return { before: '', inside: false, blocks: blocks + 1, fence: { mark: opened[1], info } };
  }
  const bare = line.trimEnd();
  if (bare.trim() === '') return { before: '', inside: false, blocks };
  if (HEADING.test(bare)) return { before: '', inside: false, blocks: blocks + 1 };
  const counted = state.inside ? blocks : blocks + 1;
  const table = tableAfter(state, line, before);
  return { before: line, inside: true, blocks: counted, ...(table !== undefined && { table }) };
}

function tableAfter(state: State, line: string, before: string): string | undefined {
  if (state.table !== undefined) return line.includes('|') ? state.table : undefined;
  const isRule = line.includes('|') && before.includes('|') && isTableRule(line.trim());
  const head = isRule ? `${before}${line.trimEnd()}\n` : '';
  return head !== '' && bytesOf(head) <= TABLE_HEAD_BYTES ? head : undefined;
}

/** Cell by cell: one expression for the whole line tries every way in which blanks may stand on either side of a dash. */
function isTableRule(line: string): boolean {
  const [first = '', ...rest] = line.replace(/^\|/, '').split('|');
  return /^:?-+:?$/.test(first.trim()) && rest.every((cell) => /^:?-*:?$/.test(cell.trim()));
}

function closes(line: string, { mark }: Fence): boolean {
  const bare = line.replace(/^[\s>]*/, '').trimEnd();
  return bare.length >= mark.length && bare === (mark[0] ?? '').repeat(bare.length);
}

/** Where the first line of a text is cut, so that it takes no more than so many bytes. */
function lineCut(text: string, bytes: number): number {
  const max = indexAtBytes(text, bytes);
  const from = Math.max(0, max - LOOK_AROUND);
  // What comes far behind the cut may still come: it has no say in it.
  const around = text.slice(from, max + Math.min(LOOK_AROUND, Math.floor(bytes / 4)));
  const space = around.slice(0, max - from).search(/\s\S*$/u);
  const cut = space > 0 && from + space >= max / 2 ? from + space + 1 : graphemeBound(text, max);
  for (const { index, 0: whole } of around.matchAll(WHOLE)) {
    const start = from + index;
    if (start < cut && cut < start + whole.length && start > max / 2) return start;
  }
  return cut;
}
