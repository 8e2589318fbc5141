import { AGENT_LIMITS } from '../limits.ts';
import { busy, type RpcError } from '../rpc-error.ts';
import type { TaskDesk } from '../run/task-desk.ts';
import { printTask, type TaskRecord } from '../task/task-record.ts';
import { EventStream } from './event-stream.ts';
import type { Format } from './format.ts';
import type { Outcome } from './operations.ts';
import type { Sink } from './sink.ts';

export interface Delivery {
  readonly sink: Sink;
  readonly format: Format;
  readonly desk: TaskDesk;
  /** The streams that are open, for the heartbeat. */
  readonly streams: Set<EventStream>;
}

/** Answers a request with its outcome. Throws -32004 when there are too many readers. */
export function deliver(outcome: Outcome, { sink, format, desk, streams }: Delivery): void {
  switch (outcome.kind) {
    case 'result':
      sendBody(sink, 200, format.result(outcome.result), format.contentType);
      return;
    case 'sent':
      sendTask(outcome.task, outcome.historyLength, { sink, format });
      return;
    case 'wait': {
      const { task, historyLength, start } = outcome;
      const live = desk.followed(task);
      if (live?.running) {
        const settled = () => sendTask(live, historyLength, { sink, format });
        sink.onClose(live.watch({ news: () => undefined, settled, lost: () => sink.destroy() }));
      } else {
        sendTask(task, historyLength, { sink, format });
      }
      start();
      return;
    }
    case 'stream': {
      const { task, historyLength, start } = outcome;
      if (streams.size >= AGENT_LIMITS.openStreams) {
        start();
        throw busy('The agent has as many readers as it can.', AGENT_LIMITS.retryAfterMs);
      }
      const stream = new EventStream(sink, task, desk.followed(task), { format, historyLength });
      streams.add(stream);
      stream.open(() => streams.delete(stream));
      start();
    }
  }
}

export function sendError(sink: Sink, format: Format, error: RpcError, status?: number): void {
  const { status: written, body, contentType = format.contentType } = format.error(error, status);
  const { retryAfterMs } = error;
  sendBody(sink, written, body, contentType, {
    ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
    // What is left of a body that was refused is not read.
    ...(status === 413 ? { connection: 'close' } : {}),
  });
}

export function sendBody(
  sink: Sink,
  status: number,
  body: string,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = String(Buffer.byteLength(body));
  // With its length known, head and body leave in one piece.
  sink.head(status, { ...(body === '' ? {} : { 'content-type': contentType }), 'content-length': length, ...headers });
  sink.end(body);
}

function sendTask(
  task: TaskRecord,
  historyLength: number | undefined,
  { sink, format }: Pick<Delivery, 'sink' | 'format'>,
): void {
  if (!sink.over) sendBody(sink, 200, format.sent(printTask(task, { historyLength })), format.contentType);
}
