import type { Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import type { World } from '../world.ts';
import { writable } from './chat-content.ts';
import type { Call, Methods } from './method.ts';

const STATUSES = ['active', 'processing', 'suspended', 'closed'];
const STATUS_FADES_MS = 120_000;

/** What stands under a thread while an agent works. */
export const SESSION_METHODS: Methods = {
  'agents.sessions.setStatus': { scopes: ['chat:write'], run: setStatus },
  'agents.sessions.rename': { scopes: ['chat:write'], run: rename },
  'assistant.threads.setStatus': { scopes: ['chat:write', 'assistant:write'], run: setThreadStatus },
  'assistant.threads.setTitle': { scopes: ['chat:write', 'assistant:write'], run: () => ({}) },
  'assistant.threads.setSuggestedPrompts': { scopes: ['chat:write', 'assistant:write'], run: () => ({}) },
};

export function setSession(world: World, channel: string, threadTs: string, status: string, title?: string): void {
  if (!world.app.isAgent) throw new SlackError('not_an_agent');
  if (!STATUSES.includes(status)) throw new SlackError('invalid_arguments');
  const known = world.sessions.get(`${channel}/${threadTs}`);
  const named = known?.title ?? title;
  world.sessions.set(`${channel}/${threadTs}`, { status, ...(named === undefined ? {} : { title: named }) });
  world.changes.note();
}

function setStatus({ args, world }: Call): Shape {
  const channel = writable(world, args.required('channel_id'));
  const threadTs = threadIn(world, channel.id, args.text('thread_ts'));
  const title = args.text('title');
  if ((title?.length ?? 0) > 200) throw new SlackError('invalid_arguments');
  setSession(world, channel.id, threadTs, args.required('status'), title);
  return {};
}

function rename({ args, world }: Call): Shape {
  const channel = writable(world, args.required('channel_id'));
  const threadTs = threadIn(world, channel.id, args.text('thread_ts'));
  const known = world.sessions.get(`${channel.id}/${threadTs}`);
  if (known === undefined) throw new SlackError('session_not_found');
  known.title = args.required('title');
  return {};
}

/** An empty status takes it away; a message of the app does too, and two minutes without one. */
function setThreadStatus({ args, world }: Call): Shape {
  const channel = writable(world, args.required('channel_id'));
  const threadTs = threadIn(world, channel.id, args.text('thread_ts'));
  const status = args.text('status') ?? '';
  if (loading(args.json('loading_messages', 'invalid_arguments')) > 10) throw new SlackError('invalid_arguments');
  const key = `${channel.id}/${threadTs}`;
  if (status === '') world.statuses.delete(key);
  else {
    const shown = { status, sinceMs: world.clock.now() };
    world.statuses.set(key, shown);
    world.clock.wakeAt(shown.sinceMs + STATUS_FADES_MS, () => {
      if (world.statuses.get(key) === shown) world.statuses.delete(key);
      world.changes.note();
    });
  }
  world.changes.note();
  return {};
}

function threadIn(world: World, channel: string, threadTs: string | undefined): string {
  if (threadTs === undefined || world.thread(channel, threadTs).length === 0) throw new SlackError('invalid_thread_ts');
  return threadTs;
}

function loading(messages: unknown): number {
  return Array.isArray(messages) ? messages.length : 0;
}
