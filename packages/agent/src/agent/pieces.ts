import type { ArtifactChange, Artifacts } from '../task/artifacts.ts';
import { REVISION_KEY } from '../task/artifacts.ts';
import type { WireArtifact, WireMetadata, WirePart } from '../task/wire.ts';

/** A part of a message or an artifact (rule P1). */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: unknown }
  | {
      readonly kind: 'file';
      /** Where the file is, or what it holds. */
      readonly url?: string;
      readonly bytes?: Uint8Array;
      readonly mediaType?: string;
      readonly filename?: string;
    };

/** Text that is added to an artifact; `artifactId` is `answer` unless given. A plain string is the same as `{ text }`. */
export interface TextPiece {
  readonly text: string;
  readonly artifactId?: string;
}

/** A part that is added to an artifact; `artifactId` is `answer` unless given. */
export interface PartPiece {
  readonly part: MessagePart;
  readonly artifactId?: string;
}

/** A whole artifact. One with the id of an earlier one takes its place, as its next revision (rule P3). */
export interface ArtifactPiece {
  readonly artifact: {
    readonly id: string;
    readonly name?: string;
    readonly description?: string;
    readonly parts: readonly MessagePart[];
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
}

/** A tool call, shown as a step: a data part of the answer marked `adk_type: function_call` (contract rule T1). */
export interface CallPiece {
  readonly call: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

/** What a call returned. A non-empty `error` or `isError: true` in `response` makes it a failed step (rule T7). */
export interface ResultPiece {
  readonly result: { readonly id: string; readonly name: string; readonly response: Readonly<Record<string, unknown>> };
}

/** What a model thought: an artifact of its own, marked `adk_thought`, that is never the answer (rule A8). */
export interface ReasoningPiece {
  readonly reasoning: string;
}

export type Piece = string | TextPiece | PartPiece | ArtifactPiece | CallPiece | ResultPiece | ReasoningPiece;

const ANSWER = 'answer';
const REASONING = 'reasoning';
const THOUGHT: WireMetadata = { adk_thought: true };

/** The change that a piece makes. Throws a TypeError when it is no piece, or no JSON. */
export function toChange(piece: Piece, artifacts: Pick<Artifacts, 'has' | 'revision'>): ArtifactChange {
  if (typeof piece === 'string') return added(artifacts, ANSWER, { text: piece });
  if (typeof piece === 'object' && piece !== null) {
    if ('text' in piece && typeof piece.text === 'string') {
      return added(artifacts, artifactIdOf(piece), { text: piece.text });
    }
    if ('part' in piece) return added(artifacts, artifactIdOf(piece), toWirePart(piece.part));
    if ('artifact' in piece) return { artifact: toArtifact(piece, artifacts), append: false };
    if ('call' in piece) return added(artifacts, ANSWER, toolPart(piece.call, 'function_call'));
    if ('result' in piece) return added(artifacts, ANSWER, toolPart(piece.result, 'function_response'));
    if ('reasoning' in piece && typeof piece.reasoning === 'string') {
      return added(artifacts, REASONING, { text: piece.reasoning, metadata: THOUGHT });
    }
  }
  throw new TypeError(
    'a turn yields a string, { text }, { part }, { artifact }, { call }, { result } or { reasoning }',
  );
}

export const isReasoning = (piece: Piece): boolean =>
  typeof piece === 'object' && piece !== null && 'reasoning' in piece;

function added(artifacts: Pick<Artifacts, 'has'>, artifactId: string, part: WirePart): ArtifactChange {
  return { artifact: { artifactId, parts: [part] }, append: artifacts.has(artifactId) };
}

function artifactIdOf({ artifactId = ANSWER }: { readonly artifactId?: string }): string {
  if (typeof artifactId === 'string' && artifactId !== '') return artifactId;
  throw new TypeError('artifactId is a text with characters; leave it out for the answer');
}

/** Not every author has the types at hand, and what is wrong would make the task unreadable for its callers. */
function toArtifact({ artifact }: ArtifactPiece, artifacts: Pick<Artifacts, 'revision'>): WireArtifact {
  const { id, name, description, parts, metadata } = Object(artifact) as ArtifactPiece['artifact'];
  if (!isText(id, name, description) || id === '' || !Array.isArray(parts) || typeof (metadata ?? {}) !== 'object') {
    throw new TypeError('an artifact is { id, name?, description?, parts: [part], metadata? }');
  }
  return {
    artifactId: id,
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    parts: parts.map((part: MessagePart) => toWirePart(part)),
    metadata: { ...(asJson(metadata ?? {}) as object), [REVISION_KEY]: artifacts.revision(id) + 1 },
  };
}

/** The data is taken as JSON at once: the turn may change its own objects later. */
export function toWirePart(part: MessagePart): WirePart {
  switch (part?.kind) {
    case 'text':
      if (!isText(part.text)) break;
      return { text: part.text };
    case 'data':
      return { data: asJson(part.data) };
    case 'file': {
      if (!isText(part.url ?? '', part.mediaType, part.filename)) break;
      const named = {
        ...(part.mediaType === undefined ? {} : { mediaType: part.mediaType }),
        ...(part.filename === undefined ? {} : { filename: part.filename }),
      };
      if (part.url !== undefined) return { url: part.url, ...named };
      if (part.bytes instanceof Uint8Array) return { raw: Buffer.from(part.bytes).toString('base64'), ...named };
    }
  }
  throw new TypeError('a part is a text, a data, or a file with a url or bytes (a Uint8Array)');
}

const isText = (text: unknown, ...more: readonly unknown[]): boolean =>
  typeof text === 'string' && more.every((each) => each === undefined || typeof each === 'string');

function toolPart(data: object, type: 'function_call' | 'function_response'): WirePart {
  return { data: asJson(data), metadata: { adk_type: type } };
}

function asJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json === undefined) throw new TypeError('data must be JSON');
  return JSON.parse(json);
}
