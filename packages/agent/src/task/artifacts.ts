import type { WireArtifact, WireMetadata, WirePart } from './wire.ts';

/** Says which edition of an artifact this is, from 1: a later update of the same output is a new revision (rule P3). */
export const REVISION_KEY = 'agentkourier.dev/revision';

/** One change of one artifact, as it is streamed and as it is stored. */
export interface ArtifactChange {
  readonly artifact: WireArtifact;
  /** Adds to what stands there; else takes its place. */
  readonly append: boolean;
}

/** A part whose text may still grow. */
type GrowingPart = { text: string } & { readonly metadata?: WireMetadata; readonly mediaType?: string };
type KeptArtifact = Omit<WireArtifact, 'parts'> & { readonly parts: (WirePart | GrowingPart)[] };

/**
 * The artifacts of one task. A chunk costs what the chunk is long: text is added to the last text part in place, and
 * nothing is copied before somebody asks for the whole.
 */
export class Artifacts {
  /** Made with the first: a task that waits has none, and there may be many. */
  #kept: Map<string, KeptArtifact> | undefined;
  #characters = 0;

  get size(): number {
    return this.#kept?.size ?? 0;
  }

  /** How much they hold. */
  get characters(): number {
    return this.#characters;
  }

  has(artifactId: string): boolean {
    return this.#kept?.has(artifactId) ?? false;
  }

  /** The revision that stands; 0 when there is none. */
  revision(artifactId: string): number {
    const artifact = this.#kept?.get(artifactId);
    if (artifact === undefined) return 0;
    const revision = artifact.metadata?.[REVISION_KEY];
    return typeof revision === 'number' ? revision : 1;
  }

  apply({ artifact, append }: ArtifactChange): void {
    this.#kept ??= new Map();
    const kept = append ? this.#kept.get(artifact.artifactId) : undefined;
    if (kept === undefined) {
      for (const part of this.#kept.get(artifact.artifactId)?.parts ?? []) this.#characters -= weightOf(part);
      this.#kept.set(artifact.artifactId, { ...artifact, parts: artifact.parts.map((part) => ({ ...part })) });
    } else {
      for (const part of artifact.parts) addPart(kept.parts, part);
    }
    for (const part of artifact.parts) this.#characters += weightOf(part);
  }

  all(): readonly WireArtifact[] {
    return [...(this.#kept?.values() ?? [])];
  }
}

/** Adds a change to those that wait to be stored: text that continues the last one's becomes part of it. */
export function addChange(changes: ArtifactChange[], change: ArtifactChange): void {
  const last = changes.at(-1);
  if (last === undefined || !change.append || last.artifact.artifactId !== change.artifact.artifactId) {
    changes.push({
      ...change,
      artifact: { ...change.artifact, parts: change.artifact.parts.map((part) => ({ ...part })) },
    });
    return;
  }
  for (const part of change.artifact.parts) addPart(last.artifact.parts as WirePart[], part);
}

function addPart(parts: (WirePart | GrowingPart)[], part: WirePart): void {
  const last = parts.at(-1);
  if (last !== undefined && growsBy(last, part)) (last as GrowingPart).text += (part as GrowingPart).text;
  else parts.push({ ...part });
}

function growsBy(last: WirePart | GrowingPart, part: WirePart): boolean {
  if (!('text' in last && 'text' in part) || last.mediaType !== part.mediaType) return false;
  if (last.metadata === part.metadata) return true;
  return JSON.stringify(last.metadata) === JSON.stringify(part.metadata);
}

function weightOf(part: WirePart | GrowingPart): number {
  return 'text' in part ? part.text.length : JSON.stringify(part).length;
}
