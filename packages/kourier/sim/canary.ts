import type { AgentEvent, Artifact, TaskSnapshot } from '../src/core/reply/agent-event.ts';
import type { EntryId, MessageId } from '../src/core/thread/ids.ts';
import type { World } from '../src/courier/world.ts';
import type { Agent } from '../src/ports/agent.ts';
import type { Chat } from '../src/ports/chat.ts';
import type { Store } from '../src/ports/store.ts';
import type { Plant } from './plant.ts';

/**
 * Bugs that a courier or a port could have, planted by wrapping what the courier stands on: a simulator that does not
 * find each of them within some seeds has gone blind. Nothing of this exists outside the simulator.
 */
export const CANARIES: Readonly<Record<string, Plant>> = {
  'accepted before it is durable': { world: (world) => onStore(world, hastyAccept) },
  'performed before the commit is durable': { world: (world) => onStore(world, hastyCommit) },
  'a commit loses what it has taken': {
    world: (world) => onStore(world, (store) => ({ commit: (commit) => store.commit({ ...commit, taken: [] }) })),
  },
  'a commit loses its notices': {
    world: (world) =>
      onStore(world, (store) => ({
        commit: (commit) =>
          store.commit({ ...commit, entries: commit.entries.filter(({ kind }) => kind !== 'notice') }),
      })),
  },
  'keys are forgotten': { world: (world) => onStore(world, keyless) },
  'a lease is not looked at': {
    disk: (disk) => {
      disk.fenced = false;
    },
  },
  'sent again under another id': { world: (world) => onAgents(world, () => renaming()) },
  'sent again with another text': { world: (world) => onAgents(world, () => rewording()) },
  'the context is not carried': {
    world: (world) =>
      onAgents(world, () => (agent) => ({
        send: ({ contextId: _, ...message }, sink, options) => agent.send(message, sink, options),
      })),
  },
  'who was chosen is forgotten with the turn': { world: (world) => onStore(world, forgettingAgent) },
  'the agent is not told of a cancel': {
    world: (world) => onAgents(world, () => () => ({ cancelTask: cancelingAlone() })),
  },
  'the last word of every text is lost': { world: (world) => onAgents(world, () => shortening) },
  'a notice is shown under two ids': { world: (world) => onChats(world, doubling) },
  'what a commit ended is not shown': { world: (world) => onChats(world, hiding) },
  'live text comes after the end': { world: (world) => onChats(world, repeating) },
  'now and then nobody is woken': { world: forgetful },
};

function onStore(world: World, change: (store: Store) => Partial<Store>): World {
  return { ...world, store: { ...methodsOf(world.store), ...change(world.store) } };
}

/** The methods of a port, whatever it is made of. */
function methodsOf(store: Store): Store {
  const { open, accept, claim, pending, commit, extend, release, owing, timeline, changes, threadOf, audit } = store;
  const { threadAt, addPlace, placesOf, delivery, deliver, undelivered, close } = store;
  return {
    ...{ open, accept, claim, pending, commit, extend, release, owing, timeline, changes, threadOf, audit },
    ...{ threadAt, addPlace, placesOf, delivery, deliver, undelivered, close },
  };
}

function onAgents(world: World, change: () => (agent: Agent) => Partial<Agent>): World {
  const changed = change();
  return {
    ...world,
    agents: {
      ...world.agents,
      agentFor: (binding, chosen) => {
        const agent = world.agents.agentFor(binding, chosen);
        return agent && { ...agent, ...changed(agent) };
      },
    },
  };
}

function onChats(world: World, change: (chat: Chat) => Chat['show']): World {
  return { ...world, chats: new Map([...world.chats].map(([name, chat]) => [name, { ...chat, show: change(chat) }])) };
}

/** Says at once what the disk will say, if nothing happens to it. */
function hastyAccept(store: Store): Partial<Store> {
  return {
    accept: (thread, message, options) => {
      store.accept(thread, message, options).catch(() => undefined);
      const { turnId } = message;
      return Promise.resolve({ kind: 'accepted', thread, revision: 1, ...(turnId === undefined ? {} : { turnId }) });
    },
  };
}

function hastyCommit(store: Store): Partial<Store> {
  return {
    commit: (commit) => {
      store.commit(commit).catch(() => undefined);
      return Promise.resolve({ kind: 'committed', revision: 1_000 });
    },
  };
}

function forgettingAgent(store: Store): Partial<Store> {
  return {
    commit: (commit) => {
      const { agent: _, ...thread } = commit.thread;
      return store.commit(thread.turn ? commit : { ...commit, thread });
    },
  };
}

function keyless(store: Store): Partial<Store> {
  return {
    open: (thread, message, { key: _, ...options } = {}) => store.open(thread, message, options),
    accept: (thread, message) => store.accept(thread, message),
  };
}

function renaming(): (agent: Agent) => Partial<Agent> {
  const sent = new Map<string, number>();
  return (agent) => ({
    send: (message, sink, options) => {
      const times = sent.get(message.messageId) ?? 0;
      sent.set(message.messageId, times + 1);
      const messageId = times === 0 ? message.messageId : (`${message.messageId}-again-${times}` as MessageId);
      return agent.send({ ...message, messageId }, sink, options);
    },
  });
}

function rewording(): (agent: Agent) => Partial<Agent> {
  const sent = new Set<string>();
  return (agent) => ({
    send: (message, sink, options) => {
      const again = sent.has(message.messageId);
      sent.add(message.messageId);
      return agent.send(again ? { ...message, text: `${message.text} (again)` } : message, sink, options);
    },
  });
}

/** The answer of an agent that has cancelled; the agent itself hears nothing. */
function cancelingAlone(): Agent['cancelTask'] {
  return async (id) => {
    const status = { state: 'canceled', codes: [] } as const;
    return { kind: 'task', task: { id, status, artifacts: [], history: [] } };
  };
}

function shortening(agent: Agent): Partial<Agent> {
  const shorter = (artifact: Artifact): Artifact => ({
    ...artifact,
    parts: artifact.parts.map((part) => (part.kind === 'text' ? { ...part, text: part.text.slice(0, -1) } : part)),
  });
  const shortTask = (task: TaskSnapshot) => ({ ...task, artifacts: task.artifacts.map(shorter) });
  const heard = (event: AgentEvent): AgentEvent => {
    if (event.kind === 'artifact') return { ...event, artifact: shorter(event.artifact) };
    return event.kind === 'task' ? { ...event, task: shortTask(event.task) } : event;
  };
  return {
    send: (message, sink, options) => agent.send(message, (event) => sink(heard(event)), options),
    getTask: async (taskId, options) => {
      const read = await agent.getTask(taskId, options);
      return read.kind === 'task' ? { ...read, task: shortTask(read.task) } : read;
    },
  };
}

function doubling(chat: Chat): Chat['show'] {
  return (update) => {
    const again = update.entries.filter(({ kind }) => kind === 'notice');
    const copies = again.map((entry) => ({ ...entry, id: `${entry.id}-again` as EntryId }));
    chat.show({ ...update, entries: [...update.entries, ...copies] });
  };
}

function hiding(chat: Chat): Chat['show'] {
  return (update) => {
    const kept = update.entries.filter((entry) => entry.kind !== 'answer' || entry.streaming);
    chat.show({ ...update, entries: kept });
  };
}

function repeating(chat: Chat): Chat['show'] {
  return (update) => {
    chat.show(update);
    const ended = update.entries.flatMap((entry) =>
      entry.kind === 'answer' && !entry.streaming ? [{ ...entry, streaming: true }] : [],
    );
    if (ended.length > 0) chat.show({ ...update, entries: ended, live: true });
  };
}

function forgetful(world: World): World {
  let count = 0;
  const { clock } = world;
  const wakeAt: typeof clock.wakeAt = (atMs, wake) => (++count % 20 === 0 ? () => {} : clock.wakeAt(atMs, wake));
  return { ...world, clock: { now: clock.now, wakeAt } };
}
