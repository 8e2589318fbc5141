/**
 * Whether one of the media types that are wanted is among those that are offered; `*` stands for any, parameters do not
 * count, and a bare word as `text`, which some cards write, is the whole of its kind. Who offers none offers plain text.
 */
export function fitsModes(wanted: readonly string[], offered: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((mode) => takesMode(mode, offered));
}

/** Whether one media type is among those that are offered. */
export function takesMode(mode: string, offered: readonly string[]): boolean {
  const modes = offered.length === 0 ? ['text/plain'] : offered;
  const wanted = rangeOf(mode);
  return modes.some((other) => overlap(wanted, rangeOf(other)));
}

function rangeOf(mode: string): readonly [kind: string, form: string] {
  const [kind = '', form = '*'] = (mode.toLowerCase().split(';')[0] ?? '').trim().split('/');
  return [kind, form];
}

function overlap([kind, form]: readonly [string, string], [otherKind, otherForm]: readonly [string, string]): boolean {
  return isSame(kind, otherKind) && isSame(form, otherForm);
}

function isSame(one: string, other: string): boolean {
  return one === other || one === '*' || other === '*';
}
