import type { VNode } from 'preact';
import type { Entry } from '../api/wire.ts';
import type { Progress, Turn } from '../timeline/turns.ts';
import { Markdown } from './markdown.tsx';
import { memo } from './memo.ts';
import { MessageEntryView } from './message-view.tsx';
import { NoticeView } from './notice-view.tsx';
import { RequestView } from './request-view.tsx';
import { StepView } from './step-view.tsx';
import type { DecisionTimes } from './use-decision-times.ts';

interface Props {
  readonly turn: Turn;
  readonly progress: Progress;
  readonly decided: DecisionTimes;
}

/** A message and what came of it. */
export const TurnView = memo(function TurnView({ turn, progress, decided }: Props): VNode {
  const streaming = turn.rest.some((entry) => entry.kind === 'answer' && entry.streaming && entry.text !== '');
  const isHeld = turn.rest.some(
    (entry) => entry.kind === 'request' && entry.type === 'tool-approval' && entry.state === 'open',
  );
  return (
    <section class="turn" aria-busy={progress === 'working'}>
      {turn.message !== undefined && (
        <MessageEntryView entry={turn.message}>
          {progress === 'queued' && <span class="tag">Queued</span>}
        </MessageEntryView>
      )}
      {turn.rest.map((entry) => (
        <EntryView key={entry.id} entry={entry} isHeld={isHeld} decidedAt={decided.get(entry.id)} />
      ))}
      {progress === 'working' && !streaming && (
        <div class="working">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="unseen">The agent is working.</span>
        </div>
      )}
    </section>
  );
});

interface EntryProps {
  readonly entry: Entry;
  readonly isHeld: boolean;
  readonly decidedAt: string | undefined;
}

const EntryView = memo(function EntryView({ entry, isHeld, decidedAt }: EntryProps): VNode | null {
  switch (entry.kind) {
    case 'message':
      return <MessageEntryView entry={entry} />;
    case 'answer':
      return entry.text === '' ? null : (
        <div class={entry.streaming ? 'answer streaming' : 'answer'}>
          <Markdown text={entry.text} streaming={entry.streaming} />
        </div>
      );
    case 'step':
      return <StepView step={entry} isHeld={isHeld} />;
    case 'notice':
      return <NoticeView notice={entry} />;
    case 'request':
      return <RequestView request={entry} decidedAt={decidedAt} />;
    default:
      // A kind that a newer server knows.
      return null;
  }
});
