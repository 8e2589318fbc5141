import type { NotDone, PostRef, Refused, Unknown } from '../../../ports/poster.ts';
import { undone } from './calls/refusals.ts';
import type { SlackCalls } from './calls/slack-calls.ts';
import type { Json } from './json.ts';
import { FORMS, formOf, isFormRefused } from './layout/forms.ts';
import type { SlackBody } from './layout/slack-body.ts';
import { Recent } from './recent.ts';

export type Written = { readonly kind: 'done'; readonly body: Json } | NotDone | Refused | Unknown;

export interface WriteOptions {
  readonly channel?: string;
  /** Of an edit: the form that was taken of this message before is tried first. */
  readonly ref?: PostRef;
  readonly waitMs?: number;
  readonly over?: AbortSignal;
}

/** Messages that needed a simpler form. */
const REMEMBERED = 1_000;
/** About the message or its stream, not about its form. */
const OF_THE_MESSAGE = ['message_not_found', 'streaming_state_conflict'];

/** Writes a message in the best form that Slack takes: each is tried once, simpler ones after it (case C163). */
export class Writing {
  readonly #calls: SlackCalls;
  readonly #simpler = new Recent<number>(REMEMBERED);

  constructor(calls: SlackCalls) {
    this.#calls = calls;
  }

  async write(
    method: string,
    args: Json,
    body: SlackBody,
    { channel, ref, waitMs, over }: WriteOptions,
  ): Promise<Written> {
    const options = {
      // A message that is not there yet is no text that can be left out.
      priority: body.weight === 'live' && ref === undefined ? ('first' as const) : body.weight,
      ...(channel !== undefined && { channel }),
      ...(waitMs !== undefined && { waitMs }),
      ...(over && { over }),
    };
    let why = '';
    for (let form = (ref !== undefined && this.#simpler.get(ref)) || 0; form < FORMS.length; form++) {
      const outcome = await this.#calls.call(method, { ...args, ...formOf(body, FORMS[form] ?? 'text') }, options);
      if (outcome.kind === 'ok') {
        if (form > 0 && ref !== undefined) this.#simpler.set(ref, form);
        return { kind: 'done', body: outcome.body };
      }
      const end = undone(outcome);
      if (end !== undefined) return end;
      why = outcome.kind === 'no' ? outcome.error : why;
      if (OF_THE_MESSAGE.includes(why)) break;
      // A word that is not known may be about the form too: a simpler one shows it.
      if (!isFormRefused(why) && form < FORMS.length - 2) form = FORMS.length - 2;
    }
    return { kind: 'refused', why };
  }
}
