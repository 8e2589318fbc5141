// The bytes of A2A 1.0 streams. A JSON-RPC id is filled up with spaces, which JSON allows after a value, so that one
// text made before serves every request.

export interface StreamIds {
  /** As JSON: `7` or `"kourier-7"`. */
  readonly rpc: string;
  /** 36 characters. */
  readonly task: string;
  /** 36 characters. */
  readonly context: string;
}

const RPC = '@'.repeat(40);
const TASK = '#'.repeat(36);
const CONTEXT = '%'.repeat(36);

const frame = (result: object): string => `data: {"jsonrpc":"2.0","id":${RPC},"result":${JSON.stringify(result)}}\n\n`;

const IDS = { taskId: TASK, contextId: CONTEXT };

export function turnStart(): string {
  const task = { id: TASK, contextId: CONTEXT, status: { state: 'TASK_STATE_SUBMITTED' }, artifacts: [], history: [] };
  return frame({ task }) + frame({ statusUpdate: { ...IDS, status: { state: 'TASK_STATE_WORKING' } } });
}

export function turnEnd(): string {
  return frame({ statusUpdate: { ...IDS, status: { state: 'TASK_STATE_COMPLETED' } } });
}

/** The end of a stream that brings the whole task, so that nothing is left to ask for. */
export function taskEnd(text: string): string {
  const artifacts = [{ artifactId: 'answer', parts: [{ text }] }];
  return frame({ task: { id: TASK, contextId: CONTEXT, status: { state: 'TASK_STATE_COMPLETED' }, artifacts } });
}

/** A chunk of the one artifact: text, if there is any, and other parts. */
export function updateOf(text: string, parts: readonly object[] = []): string {
  const artifact = { artifactId: 'answer', parts: text === '' ? parts : [{ text }, ...parts] };
  return frame({ artifactUpdate: { ...IDS, artifact, append: true, lastChunk: false } });
}

export function frameOf(ids: StreamIds, text: string): string {
  return updateOf(text).replace(RPC, ids.rpc.padEnd(RPC.length)).replace(TASK, ids.task).replace(CONTEXT, ids.context);
}

/** A text whose ids are put in by writing over copies of its bytes. */
export class Template {
  readonly #bytes: Buffer;
  readonly #places: readonly (readonly [keyof StreamIds, number])[];

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    this.#places = (
      [
        ['rpc', RPC],
        ['task', TASK],
        ['context', CONTEXT],
      ] as const
    ).flatMap(([key, mark]) => placesOf(text, mark).map((place) => [key, place] as const));
  }

  fill(ids: StreamIds): Buffer {
    const bytes = Buffer.from(this.#bytes);
    const padded = { ...ids, rpc: ids.rpc.padEnd(RPC.length) };
    for (const [key, place] of this.#places) bytes.write(padded[key], place, 'latin1');
    return bytes;
  }
}

function placesOf(text: string, mark: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}
