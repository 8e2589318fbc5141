import type { IncomingMessage } from 'node:http';
import { problem } from './problem.ts';
import type { Bodies } from './schemas/requests.ts';
import { faultsOf } from './schemas/validate.ts';

export type Read =
  | { readonly kind: 'body'; readonly body: unknown; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly answer: Response };

type Bytes = Buffer | 'too-large' | 'gone';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body and holds it against its schema. The bytes are counted while they come; how long they may take is
 * the server's `requestTimeout`. `refusal` sees the bytes before anything is made of them.
 */
export async function readBody(
  incoming: IncomingMessage,
  schema: keyof Bodies,
  limits: { readonly requestBodyBytes: number; readonly messageBytes: number },
  refusal: (bytes: Uint8Array) => Response | undefined = () => undefined,
): Promise<Read> {
  const unsupported = mediaProblem(incoming);
  if (unsupported !== undefined) return refused(problem('unsupported-media-type', unsupported));
  const bytes = await readBytes(incoming, limits.requestBodyBytes);
  if (bytes === 'too-large') return refused(bodyTooLarge(limits.requestBodyBytes));
  if (bytes === 'gone') return refused(problem('malformed-request', 'The body ended early. Send the whole body.'));
  const answer = refusal(bytes);
  if (answer !== undefined) return refused(answer);
  const body = parse(bytes);
  if (body === undefined)
    return refused(problem('malformed-request', 'The body is not JSON in UTF-8. Send one JSON value.'));
  if (textBytes(body.value) > limits.messageBytes) {
    const detail = `A message holds at most ${limits.messageBytes} bytes. Shorten it, or send it in parts.`;
    return refused(problem('message-too-large', detail));
  }
  const faults = faultsOf(schema, body.value);
  if (faults.length === 0) return { kind: 'body', body: body.value, bytes };
  const detail = `The body does not fit the schema ${schema} of /api/v1/openapi.json. Correct what "faults" names.`;
  return refused(problem('invalid-request', detail, { faults }));
}

const refused = (answer: Response): Read => ({ kind: 'refused', answer });

export function bodyTooLarge(most: number): Response {
  return problem('body-too-large', `A body holds at most ${most} bytes. Send less.`, {
    headers: { connection: 'close' },
  });
}

/** JSON alone: a form or a plain text is what another site can send from a browser without asking. */
function mediaProblem({ headers }: IncomingMessage): string | undefined {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json') return 'Send the body as JSON, with the header "content-type: application/json".';
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) return 'Send the body in UTF-8.';
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? undefined : 'Send the body without a content encoding.';
}

/** The body as it comes; `too-large`: no more of it was read, `gone`: it ended early. */
export function readBytes(incoming: IncomingMessage, most: number): Promise<Bytes> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) return Promise.resolve('too-large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (result: Bytes): void => {
      incoming.off('data', take).off('end', whole).off('error', gone).off('close', gone);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
      else end('too-large');
    };
    const whole = (): void => end(Buffer.concat(chunks, length));
    const gone = (): void => end('gone');
    incoming.on('data', take).on('end', whole).on('error', gone).on('close', gone);
  });
}

function parse(bytes: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return undefined;
  }
}

function textBytes(body: unknown): number {
  const text = typeof body === 'object' && body !== null && 'text' in body ? body.text : undefined;
  return typeof text === 'string' ? Buffer.byteLength(text) : 0;
}
