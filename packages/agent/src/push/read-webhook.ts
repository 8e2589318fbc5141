import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { AGENT_LIMITS } from '../limits.ts';
import { invalidParams } from '../rpc-error.ts';
import type { Webhook } from './webhook.ts';

/** A webhook as a caller writes it: the task is known from elsewhere, and an id may be left to the agent. */
export type NewWebhook = Omit<Webhook, 'taskId' | 'id'> & { readonly id: string | undefined };

/**
 * Reads a TaskPushNotificationConfig of A2A 1.0. `path` is what stands before its members in an error. Throws -32602; no
 * value is repeated in it, because a secret may stand in the wrong place.
 */
export function readWebhook(config: JsonObject, path = ''): NewWebhook {
  const id = textOf(config, 'id', path);
  const url = textOf(config, 'url', path);
  const token = textOf(config, 'token', path);
  const authentication = readAuthentication(config['authentication'] ?? undefined, `${path}authentication`);
  checkUrl(url, `${path}url`);
  if (token !== undefined && !VALUE.test(token)) throw invalidParams(`${path}token must be printable ASCII.`);
  const { scheme = '', credentials = '' } = authentication ?? {};
  const characters = [id, url, token, scheme, credentials].reduce((sum, text = '') => sum + text.length, 0);
  if (characters > AGENT_LIMITS.webhookCharacters || (id?.length ?? 0) > AGENT_LIMITS.idCharacters) {
    throw invalidParams(
      `A webhook must have at most ${AGENT_LIMITS.webhookCharacters} characters, ${AGENT_LIMITS.idCharacters} of them in its id.`,
    );
  }
  return {
    id,
    url,
    ...(token === undefined ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication }),
  };
}

/** What a header may carry: a line break would begin another header (case C119). */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
/** A token of RFC 9110, section 5.6.2. */
const SCHEME = /^[\w!#$%&'*+.^`|~-]+$/;

function readAuthentication(value: unknown, path: string): Webhook['authentication'] {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw invalidParams(`${path} must be an object.`);
  const scheme = textOf(value, 'scheme', `${path}.`);
  const credentials = textOf(value, 'credentials', `${path}.`);
  if (scheme === undefined || !SCHEME.test(scheme)) {
    throw invalidParams(`${path}.scheme must name an HTTP authentication scheme, such as Bearer.`);
  }
  if (credentials === undefined) return { scheme };
  if (!VALUE.test(credentials)) throw invalidParams(`${path}.credentials must be printable ASCII.`);
  return { scheme, credentials };
}

/** What parsers of URLs leave out in silence, so that it would be kept and shown as another one than is called. */
const UNSEEN = /[\p{Cc}\p{Zs}]/u;

function checkUrl(url: string | undefined, path: string): asserts url is string {
  const read = url !== undefined && !UNSEEN.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (read === undefined || (read.protocol !== 'https:' && read.protocol !== 'http:')) {
    throw invalidParams(`${path} must be an absolute https URL.`);
  }
  if (read.username !== '' || read.password !== '') {
    throw invalidParams(`${path} must hold no user and no password: put them into authentication.`);
  }
}

function textOf(from: JsonObject, key: string, path: string): string | undefined {
  const value = from[key] ?? '';
  if (typeof value !== 'string') throw invalidParams(`${path}${key} must be a string.`);
  return value === '' ? undefined : value;
}
