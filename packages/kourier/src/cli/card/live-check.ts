import { interfacesOf, type WrittenInterface } from '@agentkourier/a2a/card/judge-interfaces';
import { isObject, parseJson } from '@agentkourier/a2a/json-value';
import { type WireVersion, wireVersionOf } from '@agentkourier/a2a/wire-version';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { WebAnswer, WebText } from '../../ports/web-text.ts';
import type { Noted, Wrong } from './verdict.ts';

/** No agent has a task of this name: asking for it changes nothing. */
const NO_TASK = 'kourier-card-validate';
/** Each costs a call. */
const INTERFACES = 10;

/**
 * Whether what answers at each interface of a card is what the card says (rule C3). Only the host that the card came from is
 * called: a card must not send us anywhere else (case C022).
 */
export async function liveCheck(
  card: unknown,
  version: WireVersion,
  cardUrl: URL,
  webText: WebText,
): Promise<{ readonly faults: readonly Wrong[]; readonly notes: readonly Noted[] }> {
  const faults: Wrong[] = [];
  const notes: Noted[] = [];
  for (const written of isObject(card) ? interfacesOf(card, version).slice(0, INTERFACES) : []) {
    const { url: text, urlPath: path, transport } = written;
    if (typeof text !== 'string' || !/^https?:/i.test(text) || !URL.canParse(text)) continue;
    const url = new URL(text);
    const note = (message: string): unknown => notes.push({ path, kind: 'live', message });
    if (url.host !== cardUrl.host) note(`another host than that of the card, ${cardUrl.host}; it was not called`);
    else if (transport !== 'JSONRPC' && transport !== 'HTTP+JSON') note('what answers there was not looked at');
    else {
      const wrong = await wrongAnswer(url, cardUrl, written, version, webText);
      if (wrong === 'guarded') note('it asks for credentials; what answers was not seen');
      else if (wrong !== undefined) {
        const allowed = `what answers ${transport}, as ${written.transportPath} says`;
        faults.push({
          path,
          problem: 'not-served',
          found: wrong,
          allowed,
          message: `found ${wrong}; A2A ${version} allows ${allowed}`,
        });
      }
    }
  }
  return { faults, notes };
}

async function wrongAnswer(
  url: URL,
  cardUrl: URL,
  { transport, protocolVersion }: WrittenInterface,
  version: WireVersion,
  webText: WebText,
): Promise<string | undefined> {
  if (url.href === cardUrl.href) return 'the address of the card itself';
  const isOld = (wireVersionOf(protocolVersion) ?? version) === '0.3';
  const isRpc = transport === 'JSONRPC';
  const answer = isRpc ? await webText(url, question(isOld)) : await webText(task(url, isOld));
  if (answer.kind !== 'answer') return `no answer: ${answer.why}`;
  if (answer.status === 401 || answer.status === 403) return 'guarded';
  return (isRpc ? isRpcAnswer(answer) : isTaskAnswer(answer, isOld))
    ? undefined
    : `HTTP ${answer.status} without an answer of that kind`;
}

function question(isOld: boolean): string {
  const method = isOld ? 'tasks/get' : 'GetTask';
  return JSON.stringify({ jsonrpc: '2.0', id: NO_TASK, method, params: { id: NO_TASK } });
}

function task(url: URL, isOld: boolean): URL {
  return new URL(`${url.origin}${withoutEndSlashes(url.pathname)}${isOld ? '/v1' : ''}/tasks/${NO_TASK}`);
}

type Answer = WebAnswer & { readonly kind: 'answer' };

function isRpcAnswer({ text }: Answer): boolean {
  const value = parseJson(text);
  return isObject(value) && 'jsonrpc' in value && ('error' in value || 'result' in value);
}

/** 1.0 says what an error looks like (§11.6); 0.3 says only that it is JSON. */
function isTaskAnswer({ text, status }: Answer, isOld: boolean): boolean {
  const value = parseJson(text);
  return isObject(value) && status !== 405 && (isOld || isObject(value['error']));
}
