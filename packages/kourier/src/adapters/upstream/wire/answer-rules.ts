/** Headers as Node and undici give them: names in lower case, several of one name in a list. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

export function isEventStream(headers: AnswerHeaders): boolean {
  return headerOf(headers, 'content-type')?.toLowerCase().startsWith('text/event-stream') === true;
}
