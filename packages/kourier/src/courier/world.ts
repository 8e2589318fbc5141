import type { Agents } from '../ports/agent.ts';
import type { Chat } from '../ports/chat.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Observe } from '../ports/observer.ts';
import type { Registry } from '../ports/registry.ts';
import type { Store } from '../ports/store.ts';

/** Everything that a courier touches. All of it is a port, so that the simulator can run the real courier. */
export interface World {
  readonly store: Store;
  readonly agents: Agents;
  readonly registry: Registry;
  /** By platform id; at least one. */
  readonly chats: ReadonlyMap<string, Chat>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observe: Observe;
}

/** The chat that a binding's threads live in; threads of a binding that is gone go on in the first chat. */
export function chatOf({ registry, chats }: World, binding: string): Chat {
  const platform = registry.current().bindings.get(binding)?.chat.platform;
  const [first] = chats.values();
  const chat = (platform !== undefined && chats.get(platform)) || first;
  if (!chat) throw new Error('a courier needs a chat');
  return chat;
}
