import type { IncomingMessage } from 'node:http';
import type { Webhook } from '../../ports/webhook.ts';
import { problem } from '../problem.ts';
import { bodyTooLarge, readBytes } from '../read-body.ts';
import type { HttpContext } from '../route.ts';

/** A call that knows its caller by a signature: it comes from the platform, under whatever name that has for us. */
export function isWebhookCall({ method, url = '' }: IncomingMessage, webhooks: readonly Webhook[]): boolean {
  const [path] = url.split('?', 1);
  return method === 'POST' && webhooks.some((webhook) => webhook.path === path);
}

/** Hands the body over as it came. It is in the platform's own form, so it stands in no schema of ours. */
export async function webhookAnswer(c: HttpContext, { bodyBytes, receive }: Webhook): Promise<Response> {
  const { incoming } = c.env;
  if (incoming.headers['content-encoding'] !== undefined) {
    return problem('unsupported-media-type', 'Send the body without a content encoding.');
  }
  const rawBody = await readBytes(incoming, bodyBytes);
  if (rawBody === 'too-large') return bodyTooLarge(bodyBytes);
  if (rawBody === 'gone') return problem('malformed-request', 'The body ended early. Send the whole body.');
  const { status, headers, body } = await receive({ headers: singly(incoming.headers), rawBody });
  const fixed = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return new Response(body, { status, headers: { ...fixed, ...headers } });
}

function singly(headers: IncomingMessage['headers']): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
