import { eventsUrl, readThread } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { Entry, ThreadStatus, Timeline } from '../api/wire.ts';
import { paced } from '../browser/paced.ts';
import { applyChanges, ChangeGatherer } from './timeline.ts';

/** `missing`: there is no such thread. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'missing';

export interface ThreadView {
  readonly timeline?: Timeline;
  readonly connection: Connection;
}

/** A browser opens six connections to a server: pages that nobody looks at must not hold them all. */
const HIDDEN_REST_MS = 60_000;
const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 8_000;

/**
 * Follows one thread: its events first, then its timeline, so that nothing falls between the two. The browser resumes
 * a lost stream with `Last-Event-ID`; where it gives up (an answer that is no stream) a new one is opened here.
 * The timeline is read again after every opening, so that a server that lost its live text cannot leave a false end.
 */
export class ThreadStream {
  readonly #thread: string;
  readonly #show: (view: ThreadView) => void;
  readonly #changes = new ChangeGatherer();
  readonly #pace = paced(() => this.#draw());
  readonly #online = (): void => this.#open();
  readonly #seen = (): void => this.#rest(document.hidden);
  /** What came while the timeline is being read: it may be newer than that, so it is put over it again. */
  #meanwhile: ChangeGatherer | undefined;
  #view: ThreadView = { connection: 'connecting' };
  #source: EventSource | undefined;
  #timer: number | undefined;
  #restTimer: number | undefined;
  #failures = 0;
  #readings = 0;

  constructor(thread: string, show: (view: ThreadView) => void) {
    this.#thread = thread;
    this.#show = show;
    addEventListener('online', this.#online);
    document.addEventListener('visibilitychange', this.#seen);
    this.#open();
  }

  close(): void {
    removeEventListener('online', this.#online);
    document.removeEventListener('visibilitychange', this.#seen);
    clearTimeout(this.#restTimer);
    this.#readings += 1;
    this.#pace.cancel();
    this.#shut();
  }

  #rest(hidden: boolean): void {
    clearTimeout(this.#restTimer);
    if (hidden) this.#restTimer = window.setTimeout(() => this.#shut(), HIDDEN_REST_MS);
    else if (this.#source === undefined && this.#view.connection !== 'missing') this.#open();
  }

  #shut(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  #open(): void {
    this.#shut();
    const source = new EventSource(eventsUrl(this.#thread));
    this.#source = source;
    source.addEventListener('open', () => void this.#read());
    source.addEventListener('entry', ({ data }) => {
      const entry = JSON.parse(data) as Entry;
      this.#changes.addEntry(entry);
      this.#meanwhile?.addEntry(entry);
      this.#pace.request();
    });
    source.addEventListener('status', ({ data }) => {
      const status = statusOf(JSON.parse(data));
      if (status === undefined) return;
      this.#changes.addStatus(status);
      this.#meanwhile?.addStatus(status);
      this.#pace.request();
    });
    source.addEventListener('error', () => this.#lost(source));
  }

  #lost(source: EventSource): void {
    if (source !== this.#source) return;
    this.#readings += 1;
    if (source.readyState !== EventSource.CLOSED) this.#update({ connection: this.#lostState() });
    // The browser says no more than that the answer was no stream: the timeline's own call tells why.
    else void this.#read();
  }

  async #read(): Promise<void> {
    const reading = ++this.#readings;
    const meanwhile = new ChangeGatherer();
    this.#meanwhile = meanwhile;
    try {
      const timeline = await readThread(this.#thread);
      if (reading !== this.#readings) return;
      const live = this.#source?.readyState === EventSource.OPEN;
      if (live) this.#failures = 0;
      else this.#retry();
      this.#meanwhile = undefined;
      this.#update({
        timeline: applyChanges(timeline, meanwhile.take()),
        connection: live ? 'live' : this.#lostState(),
      });
    } catch (error) {
      if (reading !== this.#readings) return;
      this.#meanwhile = undefined;
      if (error instanceof Problem && error.status === 404) {
        this.#shut();
        this.#update({ connection: 'missing' });
        return;
      }
      this.#retry();
      this.#update({ connection: this.#lostState() });
    }
  }

  #retry(): void {
    this.#shut();
    const waitMs = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.#failures++);
    this.#timer = window.setTimeout(() => this.#open(), waitMs);
  }

  #lostState(): Connection {
    return this.#view.timeline === undefined && this.#failures < 2 ? 'connecting' : 'reconnecting';
  }

  #draw(): void {
    // Before the first timeline is here the changes wait for it.
    const { timeline } = this.#view;
    if (timeline !== undefined) this.#update({ timeline: applyChanges(timeline, this.#changes.take()) });
  }

  #update(change: Partial<ThreadView>): void {
    this.#view = { ...this.#view, ...change };
    this.#show(this.#view);
  }
}

function statusOf(data: unknown): ThreadStatus | undefined {
  const status: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'status') : data;
  return status === 'idle' || status === 'queued' || status === 'running' || status === 'waiting' ? status : undefined;
}
