import type { ComponentChildren, VNode } from 'preact';
import type { MessageEntry } from '../api/wire.ts';
import { whoAmI } from '../browser/who-am-i.ts';
import { visibleLine } from '../text/visible.ts';
import { Time } from './time.tsx';

interface Props {
  readonly who: string;
  readonly mine: boolean;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export function MessageView({ who, mine, text, children }: Props): VNode {
  return (
    <div class={mine ? 'message mine' : 'message'}>
      <div class="byline">
        <span class="who">{who}</span>
        {children}
      </div>
      <div class="bubble" dir="auto">
        {text}
      </div>
    </div>
  );
}

export function MessageEntryView({
  entry,
  children,
}: {
  readonly entry: MessageEntry;
  readonly children?: ComponentChildren;
}): VNode {
  const { actor, text, at } = entry;
  const mine = actor?.id === whoAmI().id;
  const who = actor === undefined ? 'Trigger' : visibleLine(actor.name ?? (mine ? 'You' : actor.id), 60);
  return (
    <MessageView who={who} mine={mine} text={text}>
      <Time at={at} />
      {entry.turnId === undefined && <span class="tag">kept as context</span>}
      {children}
    </MessageView>
  );
}
