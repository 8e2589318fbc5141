import { CredentialsError } from './client-error.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** One header, its name in lower case. Checked here, because the runtime's own error would quote the value. */
export function setHeader(headers: Record<string, string>, name: string, value: string, of: string): void {
  if (!NAME.test(name) || !VALUE.test(value)) {
    throw new CredentialsError(
      `What was given for ${of} cannot be sent as the header ${JSON.stringify(name.slice(0, 80))}.`,
    );
  }
  headers[name.toLowerCase()] = value;
}

export function checkedHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) setHeader(headers, name, value, 'headers');
  return headers;
}
