import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Artifact, Message, Part, Task, TaskState, TaskStatus } from '@agentkourier/a2a/model';
import { CLIENT_LIMITS } from '../limits.ts';
import { TransportError } from './client-error.ts';
import { KeptMetadata, sizeOfPart } from './kept-size.ts';

/** A task as it stands after everything that was read of it, snapshots and updates put together. */
export interface KeptTask {
  readonly id: string;
  /** Empty when the agent named none. */
  readonly contextId: string;
  readonly state: TaskState;
  readonly status: TaskStatus;
  readonly artifacts: readonly KeptArtifact[];
  readonly history: readonly Message[];
  readonly metadata: JsonObject | undefined;
  /** The last snapshot of it as it came, with what is not read here; `undefined` when there was none. */
  readonly source: JsonObject | undefined;
}

export interface KeptArtifact {
  readonly artifactId: string;
  readonly name: string | undefined;
  /** Text that was appended to text is one part with it. */
  readonly parts: readonly Part[];
  readonly metadata: JsonObject | undefined;
}

interface Kept {
  name: string | undefined;
  parts: Part[];
  readonly metadata: KeptMetadata;
  /** Of its parts. */
  characters: number;
}

/** The artifacts of one task, by their ids, in the order in which they first appeared. A chunk costs what it brings. */
export class KeptArtifacts {
  #artifacts = new Map<string, Kept>();
  #characters = 0;
  #overLimit = false;

  /** Something was refused, because the artifacts had grown past a limit. */
  get overLimit(): boolean {
    return this.#overLimit;
  }

  /** A snapshot replaces everything; entries of one id are one artifact in pieces (case C083). */
  replaceAll(artifacts: readonly Artifact[]): void {
    this.#artifacts = new Map();
    this.#characters = 0;
    for (const artifact of artifacts) this.update(artifact, this.#artifacts.has(artifact.artifactId));
  }

  /** To an artifact that is not known, an append is its beginning (case C074). A later update is a new revision (rule P3). */
  update(artifact: Artifact, append: boolean): void {
    const known = this.#artifacts.get(artifact.artifactId);
    if (known === undefined && this.#artifacts.size >= CLIENT_LIMITS.keptArtifacts) return this.#over();
    const kept: Kept = known ?? { name: undefined, parts: [], metadata: new KeptMetadata(), characters: 0 };
    const before = kept.characters + kept.metadata.characters;
    const { name } = artifact.source as { readonly name?: unknown };
    if (typeof name === 'string') kept.name = name;
    if (append) addTo(kept, artifact);
    else replace(kept, artifact);
    this.#artifacts.set(artifact.artifactId, kept);
    this.#characters += kept.characters + kept.metadata.characters - before;
    if (this.#characters > CLIENT_LIMITS.keptCharacters) this.#over();
  }

  list(): readonly KeptArtifact[] {
    return [...this.#artifacts].map(([artifactId, { name, parts, metadata }]) => {
      return { artifactId, name, parts: [...parts], metadata: metadata.value };
    });
  }

  #over(): never {
    this.#overLimit = true;
    throw tooMuchKept();
  }
}

export function tooMuchKept(): TransportError {
  const { keptArtifacts, keptCharacters } = CLIENT_LIMITS;
  return new TransportError(
    `The task holds more than ${keptArtifacts} artifacts or ${keptCharacters} characters.`,
    'delivered',
  );
}

/** The text parts of artifacts: each artifact's joined, empty ones left out, the others a blank line apart. */
export function textOfArtifacts(artifacts: readonly KeptArtifact[]): string {
  const texts = artifacts.map(({ parts }) => textOfParts(parts));
  return texts.filter((text) => text !== '').join('\n\n');
}

/** What agents mark as their thoughts is no answer (decision 11), nor is what ADK marks as said again in whole later. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'text' && !isAside(part.metadata) ? part.text : '')).join('');
}

const ASIDES = ['adk_thought', 'kagent_thought', 'thought', 'adk_partial'];

function isAside(metadata: JsonObject | undefined): boolean {
  return metadata !== undefined && ASIDES.some((mark) => metadata[mark] === true);
}

export function isTerminal(state: TaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

export function isPaused(state: TaskState): boolean {
  return state === 'input-required' || state === 'auth-required';
}

/** A task that was read whole, in the form of one that was put together. */
export function keptTaskOf(task: Task): KeptTask {
  const artifacts = new KeptArtifacts();
  artifacts.replaceAll(task.artifacts);
  const { id = '', contextId = '', status, history, metadata, source } = task;
  return { id, contextId, state: status.state, status, artifacts: artifacts.list(), history, metadata, source };
}

function replace(kept: Kept, { parts, metadata }: Artifact): void {
  kept.parts = [...parts];
  kept.characters = parts.reduce((sum, part) => sum + sizeOfPart(part), 0);
  kept.metadata.replace(metadata);
}

function addTo(kept: Kept, { parts, metadata }: Artifact): void {
  for (const part of parts) kept.characters += addPart(kept.parts, part);
  kept.metadata.add(metadata);
}

/** What it adds to what is kept. */
function addPart(parts: Part[], part: Part): number {
  const last = parts.at(-1);
  if (last?.kind === 'text' && part.kind === 'text' && last.metadata === undefined && part.metadata === undefined) {
    parts[parts.length - 1] = { ...last, text: last.text + part.text };
    return part.text.length;
  }
  parts.push(part);
  return sizeOfPart(part);
}
