import type { VNode } from 'preact';
import type { ThreadStatus } from '../api/wire.ts';
import type { Connection } from '../timeline/thread-stream.ts';
import { StatusPill } from './status-pill.tsx';

interface Props {
  readonly title: string;
  readonly status?: ThreadStatus | undefined;
  readonly connection?: Connection;
}

export function Topbar({ title, status, connection }: Props): VNode {
  return (
    <header class="topbar">
      <span class="topbar-title">{title}</span>
      {connection !== undefined && <StatusPill status={status} connection={connection} />}
    </header>
  );
}
