import { decisionOf } from '../../../../core/request/decision-of.ts';
import type { RequestEntry } from '../../../../core/thread/entry.ts';
import type { EntryId } from '../../../../core/thread/ids.ts';
import type { Answered, CourierDoor } from '../../../../ports/courier-door.ts';
import type { Store } from '../../../../ports/store.ts';
import type { InteractionAnswer } from '../events/intake.ts';
import { type Json, jsonIn, listIn, textIn } from '../json.ts';
import { inertPlain } from '../layout/inert.ts';
import type { People } from '../people.ts';
import { escaped, type TellPrivately } from '../private-notes.ts';
import type { SlackApi } from '../slack-api.ts';
import { type SlackLog, whyOf } from '../slack-log.ts';
import { isSlackId } from '../slack-place.ts';
import { controlOf, MODAL_ID, type PromptControl, requestIn } from './prompt-controls.ts';
import { clicked, filledIn, type GivenHere } from './read-answer.ts';
import { closedModal, fieldOf, requestModal } from './request-modal.ts';
import {
  forbiddenWords,
  isOwnDoubleClick,
  MISSING,
  NOT_OPENED,
  STOPPING,
  settledWords,
  TOO_LARGE,
} from './verdict-words.ts';

export interface InteractionsOptions {
  readonly platform: string;
  readonly api: SlackApi;
  readonly door: Pick<CourierDoor, 'answer'>;
  readonly store: Pick<Store, 'threadOf' | 'timeline'>;
  readonly people: People;
  readonly tell: TellPrivately;
  readonly log: SlackLog;
}

interface Click {
  readonly user: string;
  readonly control: PromptControl;
  readonly request: EntryId;
  readonly channel: string;
  readonly threadTs?: string;
  readonly triggerId: string;
}

const TAKEN: InteractionAnswer = { taken: true };

/**
 * Clicks on prompts, and the modals that they open. Nothing is remembered between two of them: a click decides all of a
 * request, or opens a form that does, so that what was decided is what one person sent at once, and no half of it can be
 * lost or taken for a decision. Who may decide is looked at then, by the courier. Slack is answered when the decision is
 * durable; a click that is not answered is shown as failed, and can be repeated.
 */
export class Interactions {
  readonly #options: InteractionsOptions;

  constructor(options: InteractionsOptions) {
    this.#options = options;
  }

  async take(payload: Json): Promise<InteractionAnswer> {
    try {
      if (payload['type'] === 'view_submission') return await this.#submit(payload);
      const click = payload['type'] === 'block_actions' ? clickIn(payload) : undefined;
      return click === undefined ? TAKEN : await this.#click(click);
    } catch (error) {
      const { log, platform } = this.#options;
      log('error', { event: 'slack-click-not-taken', platform, why: whyOf(error) });
      return { taken: false };
    }
  }

  async #click(click: Click): Promise<InteractionAnswer> {
    const { door, people } = this.#options;
    const request = await this.#find(click.request);
    if (request === undefined) return this.#note(click, MISSING);
    const given = clicked(request, click.control);
    if (given === undefined) return this.#openModal(click, request);
    const answered = await door.answer(request.id, { ...given, actor: await people.actor(click.user) });
    if (answered.kind === 'forbidden') return this.#note(click, forbiddenWords(request));
    const words = wordsFor(answered, click.user, given);
    return words === undefined ? TAKEN : this.#note(click, escaped(words));
  }

  /** Within three seconds of the click: then its trigger is worth nothing. */
  async #openModal(click: Click, request: RequestEntry): Promise<InteractionAnswer> {
    const { api, log, platform } = this.#options;
    if (request.state !== 'open') return this.#note(click, escaped(settledWords(settledOf(request))));
    if (request.approvers && !request.approvers.includes(click.user)) return this.#note(click, forbiddenWords(request));
    const view = requestModal(request);
    if (view === undefined) return this.#note(click, TOO_LARGE);
    const outcome = await api.call('views.open', { trigger_id: click.triggerId, view });
    if (outcome.kind === 'ok') return TAKEN;
    log('warn', { event: 'slack-form-not-opened', platform, why: outcome.why });
    // The second click of two found the first one's form.
    return outcome.error === 'exchanged_trigger_id' ? TAKEN : this.#note(click, NOT_OPENED);
  }

  async #submit(payload: Json): Promise<InteractionAnswer> {
    const { door, people } = this.#options;
    const view = jsonIn(payload, 'view');
    const user = textIn(jsonIn(payload, 'user'), 'id');
    const id = requestIn(textIn(view, 'private_metadata'));
    if (textIn(view, 'callback_id') !== MODAL_ID || id === undefined || !isSlackId(user)) return TAKEN;
    const request = await this.#find(id);
    if (request === undefined) return closing(MISSING);
    const given = filledIn(request, jsonIn(jsonIn(view, 'state'), 'values'));
    const answered = await door.answer(id, { ...given, actor: await people.actor(user) });
    if (answered.kind === 'invalid') return failing(firstEmpty(given), answered.why);
    // The form stays, with what was written in it.
    if (answered.kind === 'stopping') return failing(0, STOPPING);
    if (answered.kind === 'forbidden') return closing('You may not decide this. Ask an approver.');
    const words = wordsFor(answered, user, given);
    return words === undefined ? TAKEN : closing(words);
  }

  async #find(id: EntryId): Promise<RequestEntry | undefined> {
    const { store } = this.#options;
    const thread = await store.threadOf(id);
    const timeline = thread === undefined ? undefined : await store.timeline(thread);
    const entry = timeline?.entries.find((each) => each.id === id);
    return entry?.kind === 'request' ? entry : undefined;
  }

  #note({ channel, user, threadTs }: Click, text: string): InteractionAnswer {
    this.#options.tell({ channel, user, text, ...(threadTs === undefined ? {} : { threadTs }) });
    return TAKEN;
  }
}

/** What the person has to be told; `undefined`: nothing, they see it. */
function wordsFor(
  answered: Exclude<Answered, { kind: 'forbidden' }>,
  user: string,
  given: GivenHere,
): string | undefined {
  switch (answered.kind) {
    case 'accepted':
      return undefined;
    case 'settled':
      return isOwnDoubleClick(answered, user, approvedIn(given)) ? undefined : settledWords(answered);
    case 'invalid':
      return answered.why;
    case 'missing':
      return MISSING;
    case 'stopping':
      return STOPPING;
  }
}

const approvedIn = ({ approvals }: GivenHere): boolean | undefined => approvals?.every(({ approved }) => approved);

function settledOf({ state, type, answer }: RequestEntry): Parameters<typeof settledWords>[0] {
  return { state, ...(answer && { by: answer.actor, decision: decisionOf(type, answer) }) };
}

function closing(text: string): InteractionAnswer {
  return { taken: true, answer: { response_action: 'update', view: closedModal(inertPlain(text)) } };
}

function failing(place: number, why: string): InteractionAnswer {
  return { taken: true, answer: { response_action: 'errors', errors: { [fieldOf(place)]: why } } };
}

function firstEmpty({ answers = [] }: GivenHere): number {
  const place = answers.findIndex((given) => given.every((each) => each.trim() === ''));
  return Math.max(0, place);
}

/** `undefined`: none of ours, as when somebody only selects something. */
function clickIn(payload: Json): Click | undefined {
  const [action] = listIn(payload, 'actions');
  const control = controlOf(textIn(action, 'action_id') ?? '');
  const request = requestIn(textIn(action, 'value'));
  const user = textIn(jsonIn(payload, 'user'), 'id');
  const container = jsonIn(payload, 'container');
  const channel = textIn(jsonIn(payload, 'channel'), 'id') ?? textIn(container, 'channel_id');
  if (control === undefined || request === undefined || !isSlackId(user) || !isSlackId(channel)) return undefined;
  const threadTs = textIn(container, 'thread_ts') ?? textIn(jsonIn(payload, 'message'), 'thread_ts');
  const triggerId = textIn(payload, 'trigger_id') ?? '';
  return { user, control, request, channel, triggerId, ...(threadTs === undefined ? {} : { threadTs }) };
}
