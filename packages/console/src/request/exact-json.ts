/**
 * A piece of a value's JSON. `line`, `tab` and `space` are characters of a string that the eye would miss or misread:
 * they are written as they are, with a mark. `string` holds the pieces of one string that goes over several lines.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'line' | 'tab' | 'space' | 'return'; readonly text: string }
  | { readonly kind: 'string'; readonly pieces: readonly Piece[] };

/**
 * Indented JSON in which the line ends and tabs of strings are real ones, each with its mark, so that a script or a
 * manifest in an argument can be read, and still nothing but what is there is seen. All else is as JSON writes it.
 */
export function exactJson(value: unknown): readonly Piece[] {
  const pieces: Piece[] = [];
  write(value, '', pieces);
  return joined(pieces);
}

function write(value: unknown, indent: string, to: Piece[]): void {
  if (typeof value === 'string') return writeString(value, to);
  if (typeof value !== 'object' || value === null) return void to.push(text(JSON.stringify(value) ?? ''));
  const isArray = Array.isArray(value);
  const items: readonly (readonly [string, unknown])[] = isArray
    ? value.map((item) => ['', item])
    : Object.entries(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return void to.push(text(`${open}${close}`));
  const deeper = `${indent}  `;
  to.push(text(open));
  for (const [at, [key, item]] of items.entries()) {
    to.push(text(`${at === 0 ? '' : ','}\n${deeper}${isArray ? '' : `${JSON.stringify(key)}: `}`));
    write(item, deeper, to);
  }
  to.push(text(`\n${indent}${close}`));
}

function writeString(value: string, to: Piece[]): void {
  // Every second part is a line's end.
  const parts = value.split(/(\r\n|\r|\n)/);
  const pieces = parts.flatMap((part, at) => (at % 2 === 1 ? Array.from(part, marked) : line(part, at === 0)));
  to.push(text('"'));
  if (parts.length > 1) to.push({ kind: 'string', pieces: joined([...pieces, text('"')]) });
  else to.push(...pieces, text('"'));
}

/** Tabs are marked wherever they are, spaces where a line begins the string or ends. */
function line(part: string, isFirst: boolean): Piece[] {
  const isBlank = (at: number): boolean => part[at] === ' ' || part[at] === '\t';
  let from = 0;
  let to = part.length;
  while (isFirst && from < to && isBlank(from)) from += 1;
  while (to > from && isBlank(to - 1)) to -= 1;
  const between = part.slice(from, to).split(/(\t)/);
  return [
    ...Array.from(part.slice(0, from), marked),
    ...between.map((words) => (words === '\t' ? marked(words) : text(JSON.stringify(words).slice(1, -1)))),
    ...Array.from(part.slice(to), marked),
  ];
}

function marked(character: string): Piece {
  switch (character) {
    case '\n':
      return { kind: 'line', text: character };
    case '\r':
      return { kind: 'return', text: character };
    case '\t':
      return { kind: 'tab', text: character };
    default:
      return { kind: 'space', text: character };
  }
}

const text = (words: string): Piece => ({ kind: 'text', text: words });

/** Neighbours of plain text are one. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text' && piece.text === '') continue;
    const last = all.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') all[all.length - 1] = text(last.text + piece.text);
    else all.push(piece);
  }
  return all;
}
