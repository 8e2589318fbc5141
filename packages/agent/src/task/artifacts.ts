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
  #kept: KeptArtifact[] = NOTHING;
  /** Where each stands, as soon as there are many: most tasks have one or none, and a map takes more than it. */
  #places: Map<string, number> | undefined;
  #characters = 0;

  get size(): number {
    return this.#kept.length;
  }

  /** How much they hold. */
  get characters(): number {
    return this.#characters;
  }

  has(artifactId: string): boolean {
    return this.#find(artifactId) !== undefined;
  }

  /** The revision that stands; 0 when there is none. */
  revision(artifactId: string): number {
    const artifact = this.#find(artifactId);
    if (artifact === undefined) return 0;
    const revision = artifact.metadata?.[REVISION_KEY];
    return typeof revision === 'number' ? revision : 1;
  }

  apply({ artifact, append }: ArtifactChange): void {
    const kept = this.#find(artifact.artifactId);
    if (kept === undefined) {
      this.#add(copyOf(artifact));
    } else if (append) {
      for (const part of artifact.parts) addPart(kept.parts, part);
    } else {
      for (const part of kept.parts) this.#characters -= weightOf(part);
      this.#kept[this.#kept.indexOf(kept)] = copyOf(artifact);
    }
    for (const part of artifact.parts) this.#characters += weightOf(part);
  }

  all(): readonly WireArtifact[] {
    return [...this.#kept];
  }

  #find(artifactId: string): KeptArtifact | undefined {
    if (this.#places === undefined) return this.#kept.find((kept) => kept.artifactId === artifactId);
    const place = this.#places.get(artifactId);
    return place === undefined ? undefined : this.#kept[place];
  }

  #add(artifact: KeptArtifact): void {
    // Made anew while they are few: a list that grows in place keeps room for many.
    if (this.#kept.length < FEW) this.#kept = this.#kept.concat([artifact]);
    else this.#kept.push(artifact);
    if (this.#places !== undefined) this.#places.set(artifact.artifactId, this.#kept.length - 1);
    else if (this.#kept.length > FEW)
      this.#places = new Map(this.#kept.map(({ artifactId }, place) => [artifactId, place]));
  }
}

/** So many artifacts are sooner looked through than looked up. */
const FEW = 4;

const NOTHING: KeptArtifact[] = [];

const copyOf = (artifact: WireArtifact): KeptArtifact => ({
  ...artifact,
  parts: artifact.parts.map((part) => ({ ...part })),
});

/**
 * Adds a change to those that wait to be stored, and returns them: text that continues the last one's becomes part of it,
 * and the first one makes a list of its own.
 */
export function addChange(changes: ArtifactChange[], change: ArtifactChange): ArtifactChange[] {
  const last = changes.at(-1);
  if (last !== undefined && change.append && last.artifact.artifactId === change.artifact.artifactId) {
    for (const part of change.artifact.parts) addPart(last.artifact.parts as WirePart[], part);
    return changes;
  }
  const added = { artifact: copyOf(change.artifact), append: change.append };
  if (last === undefined) return [added];
  changes.push(added);
  return changes;
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
