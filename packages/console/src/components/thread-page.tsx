import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stopThread } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { RequestEntry } from '../api/wire.ts';
import { whoAmI } from '../browser/who-am-i.ts';
import type { Outgoing } from '../outbox/outgoing.ts';
import { groupTurns, progressOf, type Turn } from '../timeline/turns.ts';
import { Announcer } from './announcer.tsx';
import { agentName } from './binding-choice.tsx';
import { Composer } from './composer.tsx';
import { Icon } from './icon.tsx';
import { NameField } from './name-field.tsx';
import { OutgoingView } from './outgoing-view.tsx';
import { Topbar } from './topbar.tsx';
import { TurnView } from './turn-view.tsx';
import type { Bindings } from './use-bindings.ts';
import { useDecisionTimes } from './use-decision-times.ts';
import type { Drafts } from './use-drafts.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { useThread } from './use-thread.ts';
import { WaitingNote } from './waiting-note.tsx';

interface Props {
  readonly id: string;
  readonly bindings: Bindings;
  readonly drafts: Drafts;
  readonly outgoing: readonly Outgoing[];
  readonly onSend: (text: string) => void;
  readonly onEdit: (item: Outgoing) => void;
  readonly onSeen: (turnIds: ReadonlySet<string>) => void;
  readonly onTitle: (firstText: string) => void;
}

/** One thread: what was said, what happens, and the box to write in. */
export function ThreadPage({ id, bindings, drafts, outgoing, onSend, onEdit, onSeen, onTitle }: Props): VNode {
  const { timeline, connection } = useThread(id);
  const { atEnd, toEnd } = useFollowEnd();
  const grouped = useRef<readonly Turn[]>([]);
  grouped.current = groupTurns(timeline?.entries ?? [], grouped.current);
  const turns = grouped.current;
  const status = timeline?.status;
  const { stopping, stop } = useStop(id, status === 'idle', (why) => drafts.write(id, drafts.text(id), why));
  const decided = useDecisionTimes(id, timeline);
  const request = timeline?.entries.findLast((entry) => entry.kind === 'request' && entry.state === 'open');
  const asked = request?.kind === 'request' ? request : undefined;
  const seen = (timeline?.entries ?? []).map((entry) => (entry.kind === 'message' ? entry.turnId : '')).join(' ');
  const title = turns[0]?.message?.text;
  const binding = bindings.list?.find(({ name }) => name === timeline?.binding);
  useEffect(() => onSeen(new Set(seen.split(' '))), [seen, outgoing]);
  const begun = turns.some(({ rest }) => rest.length > 0);
  useEffect(() => {
    if (begun && binding?.agent === null) bindings.refresh();
  }, [begun, status]);
  useEffect(() => {
    if (title !== undefined) onTitle(title);
  }, [title]);
  const unconfirmed = outgoing.filter((item) => item.turnId === undefined || !seen.includes(item.turnId));
  const agent = binding === undefined ? (timeline?.binding ?? '') : agentName(binding);
  return (
    <main class="page">
      <Topbar title={agent} status={status} connection={connection} />
      <Announcer timeline={timeline} />
      {connection === 'missing' ? (
        <div class="empty">
          <h1>There is no such thread</h1>
          <p>It may live on another server, or its address was cut short.</p>
        </div>
      ) : (
        <>
          <div class="timeline" role="log" aria-live="off" aria-label="Thread">
            {turns.map((turn) => (
              <TurnView
                key={turn.key}
                turn={turn}
                progress={progressOf(turn, turns, status ?? 'idle')}
                decided={decided}
              />
            ))}
            {unconfirmed.map((item) => (
              <OutgoingView key={item.key} item={item} onEdit={() => onEdit(item)} />
            ))}
          </div>
          <div class="dock">
            {!atEnd && (
              <button type="button" class="to-end" onClick={toEnd}>
                <Icon name="down" />
                Latest
              </button>
            )}
            <Composer
              text={drafts.text(id)}
              error={drafts.error(id)}
              onText={(text) => drafts.write(id, text)}
              onSend={() => {
                toEnd();
                onSend(drafts.text(id));
              }}
              onStop={status === undefined || status === 'idle' ? undefined : stop}
              stopping={stopping}
              canSend={true}
              note={asked === undefined ? undefined : <WaitingNote request={asked} />}
              placeholder={placeholderFor(asked, agent)}
            >
              <NameField />
            </Composer>
          </div>
        </>
      )}
    </main>
  );
}

function placeholderFor(asked: RequestEntry | undefined, agent: string): string {
  if (asked?.type === 'text') return "Answer the agent's question";
  return agent === '' ? 'Write a message' : `Write to ${agent}`;
}

function useStop(id: string, idle: boolean, onError: (why: string) => void): { stopping: boolean; stop: () => void } {
  const [stopping, setStopping] = useState(false);
  useEffect(() => setStopping(false), [id, idle]);
  const stop = (): void => {
    setStopping(true);
    stopThread(id, whoAmI()).catch((error: unknown) => {
      setStopping(false);
      onError(error instanceof Problem ? error.message : 'The server cannot be reached, so nothing was stopped.');
    });
  };
  return { stopping, stop };
}
