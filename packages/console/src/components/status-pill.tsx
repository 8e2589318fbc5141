import type { VNode } from 'preact';
import type { ThreadStatus } from '../api/wire.ts';
import type { Connection } from '../timeline/thread-stream.ts';

const STATUS_WORDS: Readonly<Record<ThreadStatus, string>> = {
  idle: 'Ready',
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting for you',
};

interface Props {
  readonly status?: ThreadStatus | undefined;
  readonly connection: Connection;
}

/** Where the thread stands; while the connection is lost, that. */
export function StatusPill({ status, connection }: Props): VNode | null {
  if (connection === 'reconnecting') return <Pill kind="reconnecting" words="Reconnecting…" />;
  if (connection === 'missing') return null;
  if (status === undefined) return <Pill kind="connecting" words="Connecting…" />;
  return <Pill kind={status} words={STATUS_WORDS[status]} />;
}

function Pill({ kind, words }: { readonly kind: string; readonly words: string }): VNode {
  return (
    <span class={`pill ${kind}`} role="status">
      <span class="lamp" aria-hidden="true" />
      {words}
    </span>
  );
}
