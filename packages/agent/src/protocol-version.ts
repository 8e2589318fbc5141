const VERSION = /^(\d{1,4})(?:\.(\d{1,4})(?:\.\d{1,6})?)?$/;

/**
 * Whether a request asks for A2A 1.0. The header counts, else the query parameter; without either it is a 0.3 request
 * (case C139). The numbers are compared, not the letters, and a patch does not matter (case C140).
 */
export function asksForVersion1(header: string | undefined, url: URL): boolean {
  const asked = (header?.trim() || url.searchParams.get('A2A-Version') || '').trim();
  const match = VERSION.exec(asked);
  return match !== null && Number(match[1]) === 1 && Number(match[2] ?? 0) === 0;
}
