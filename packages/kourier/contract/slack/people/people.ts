import { apiMessage } from '../api-message.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { freeze } from '../methods/streams.ts';
import { apiView, replaceView } from '../methods/views.ts';
import type { Message, View } from '../model.ts';
import { compact, type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import type { World } from '../world.ts';
import { filled, type Input, initial } from './inputs.ts';
import { newResponsePath, newTrigger, whoDidIt } from './payloads.ts';
import { elementsOf, shownBlocks } from './seen.ts';
import { Typing } from './typing.ts';

/** What the person sees of a click: it was taken, or a warning sign beside the button. */
export type Clicked = 'taken' | 'failed';

/** What becomes of a modal that is submitted; `failed`: "we had some trouble connecting", and it stays. */
export type Submitted =
  | { readonly kind: 'closed' | 'updated' | 'pushed' | 'failed' }
  | { readonly kind: 'errors'; readonly errors: Shape };

/** What people do: with the keyboard (`Typing`), and with buttons, menus and modals. */
export class People extends Typing {
  readonly #world: World;
  readonly #deliveries: Deliveries;
  readonly #origin: () => string;

  constructor(world: World, deliveries: Deliveries, origin: () => string) {
    super(world, deliveries.emit);
    this.#world = world;
    this.#deliveries = deliveries;
    this.#origin = origin;
  }

  /**
   * Presses the button with this `action_id`, or chooses `input` in that menu; resolves once Slack has heard of the app, or
   * three seconds of the clock later. Throws `no_such_element` where the message has it no longer. Two at once are a
   * double click.
   */
  async click(message: Message, actionId: string, user: string, input?: Input): Promise<Clicked> {
    const world = this.#world;
    const blocks = shownBlocks(message);
    const block = blocks.find((each) => elementsOf([each]).some(({ action_id }) => action_id === actionId));
    const element = elementsOf(block === undefined ? [] : [block]).find(({ action_id }) => action_id === actionId);
    if (block === undefined || element === undefined || message.deleted) throw new SlackError('no_such_element');
    if (!world.channel(message.channel).members.has(user)) throw new SlackError('not_in_channel');
    const blockId = textIn(block, 'block_id') ?? '';
    const state = element['type'] === 'button' ? undefined : filled(element, input);
    if (state !== undefined) {
      const inBlock = message.state.get(blockId) ?? new Map<string, Shape>();
      message.state.set(blockId, inBlock.set(actionId, state));
    }
    const action = compact({
      type: element['type'],
      action_id: actionId,
      block_id: blockId,
      text: element['text'],
      value: element['value'],
      style: element['style'],
      ...state,
      action_ts: world.ts(),
    });
    const outcome = await this.#deliveries.interact({
      type: 'block_actions',
      ...whoDidIt(world, user),
      trigger_id: newTrigger(world, user),
      container: compact({
        type: 'message',
        message_ts: message.ts,
        channel_id: message.channel,
        is_ephemeral: false,
        thread_ts: message.threadTs,
      }),
      channel: { id: message.channel, name: world.channel(message.channel).name || 'directmessage' },
      message: apiMessage(world, message),
      state: { values: Object.fromEntries([...message.state].map(([id, each]) => [id, Object.fromEntries(each)])) },
      response_url: this.#origin() + newResponsePath(world, message, user),
      actions: [action],
    });
    return outcome.kind === 'acknowledged' ? 'taken' : 'failed';
  }

  /** The modal that a person has in front of them. */
  view(user: string): View | undefined {
    return this.#world.viewsOf(user).at(-1);
  }

  /**
   * Fills a modal's fields (`block_id` → input; others keep what they held) and submits it. Throws
   * `missing_input` where the client would not let it go.
   */
  async submit(view: View, values: Readonly<Record<string, Input>>, user: string): Promise<Submitted> {
    const world = this.#world;
    if (world.views.get(view.id) === undefined) throw new SlackError('no_such_view');
    const shown = apiView(world, view);
    const known = shapesIn(shown, 'blocks').map((block) => textIn(block, 'block_id') ?? '');
    const unknown = Object.keys(values).find((id) => !known.includes(id));
    if (unknown !== undefined) throw new SlackError('no_such_block', { block_id: unknown });
    const state = Object.fromEntries(shapesIn(shown, 'blocks').flatMap((block) => stateOf(block, values)));
    const outcome = await this.#deliveries.interact({
      type: 'view_submission',
      ...whoDidIt(world, user),
      trigger_id: newTrigger(world, user),
      view: apiView(world, view, state),
      response_urls: [],
    });
    if (outcome.kind !== 'acknowledged') return { kind: 'failed' };
    return this.#answered(view, outcome.answer);
  }

  /** Closes a modal; the app hears of it where it asked to. */
  async dismiss(view: View, user: string): Promise<void> {
    const world = this.#world;
    world.views.delete(view.id);
    world.changes.note();
    if (view.given['notify_on_close'] !== true) return;
    await this.#deliveries.interact({
      type: 'view_closed',
      ...whoDidIt(world, user),
      view: apiView(world, view),
      is_cleared: false,
    });
  }

  /** Presses the native stop button of a thread: its streams take nothing more, and the app is told. */
  stop(channel: string, threadTs: string, user: string): void {
    const world = this.#world;
    const session = world.sessions.get(`${channel}/${threadTs}`);
    if (session?.status !== 'processing') throw new SlackError('no_stop_button');
    const running = world.thread(channel, threadTs).filter(({ stream }) => stream?.state === 'streaming');
    for (const message of running) freeze(message, 'stopped-by-user');
    world.changes.note();
    this.#deliveries.send({
      type: 'agent_session_stopped',
      channel,
      thread_ts: threadTs,
      user,
      streaming_message_ts: running.map(({ ts }) => ts),
      event_ts: world.ts(),
    });
  }

  /** Opens the app's Messages tab. */
  openTab(user: string): void {
    const channel = this.#world.directChannel(user).id;
    this.#deliveries.send({ type: 'app_home_opened', user, channel, tab: 'messages', event_ts: this.#world.ts() });
  }

  /** Opens a new conversation in the assistant pane; returns its thread. */
  openPane(user: string, context: Shape = {}): { readonly channel: string; readonly thread: string } {
    const channel = this.#world.directChannel(user).id;
    const root = this.ownSays(channel, 'New Assistant Thread', { subtype: 'assistant_app_thread' });
    const thread = { user_id: user, context, channel_id: channel, thread_ts: root.ts };
    this.#deliveries.send({ type: 'assistant_thread_started', assistant_thread: thread, event_ts: this.#world.ts() });
    return { channel, thread: root.ts };
  }

  #answered(view: View, answer: Shape): Submitted {
    const world = this.#world;
    const next = shapeIn(answer, 'view');
    switch (answer['response_action']) {
      case 'errors':
        return { kind: 'errors', errors: shapeIn(answer, 'errors') ?? {} };
      case 'update':
        if (next !== undefined) replaceView(world, view, next);
        return { kind: 'updated' };
      case 'push': {
        const id = world.id('V');
        const pushed = { id, user: view.user, given: next ?? {}, hash: world.id('h'), rootId: view.rootId };
        world.views.set(id, pushed);
        world.changes.note();
        return { kind: 'pushed' };
      }
      case 'clear':
        for (const { id } of world.viewsOf(view.user)) world.views.delete(id);
        break;
      default:
        world.views.delete(view.id);
    }
    world.changes.note();
    return { kind: 'closed' };
  }
}

function stateOf(block: Shape, values: Readonly<Record<string, Input>>): readonly (readonly [string, Shape])[] {
  const id = textIn(block, 'block_id') ?? '';
  return elementsOf([block])
    .filter(({ type }) => type !== 'button' && type !== 'image')
    .map((element) => {
      const input = values[id] ?? initial(element);
      const empty = input === undefined || input.length === 0;
      if (empty && block['type'] === 'input' && block['optional'] !== true) {
        throw new SlackError('missing_input', { block_id: id });
      }
      return [id, { [textIn(element, 'action_id') ?? 'a']: filled(element, input) }] as const;
    });
}
