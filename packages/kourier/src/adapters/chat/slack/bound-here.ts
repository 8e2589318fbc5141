import type { BindingChat } from '../../../ports/registry.ts';

/** A binding, as far as a platform needs to know it. */
export interface BoundBinding {
  readonly name: string;
  readonly chat: BindingChat;
}

/** Which binding answers where on one platform. Asked anew each time: the configuration changes while we run. */
export interface BoundHere {
  inChannel(channel: string): string | undefined;
  directly(): string | undefined;
  channels(): readonly string[];
  /** Other bots that a binding answers. */
  bots(binding: string): BindingChat['bots'];
}

export function boundHere(platform: string, bindings: () => Iterable<BoundBinding>): BoundHere {
  const here = (): readonly BoundBinding[] => [...bindings()].filter(({ chat }) => chat.platform === platform);
  return {
    inChannel: (channel) => here().find(({ chat }) => chat.channels.includes(channel))?.name,
    directly: () => here().find(({ chat }) => chat.directMessages)?.name,
    channels: () => [...new Set(here().flatMap(({ chat }) => chat.channels))],
    bots: (binding) => here().find(({ name }) => name === binding)?.chat.bots,
  };
}
