import { AGENT_LIMITS } from '../limits.ts';
import { GrownText } from './grown-text.ts';
import type { Run, SpokenRuns } from './spoken-runs.ts';

/** The agent thought or said something, or took something back. */
export interface SpokenEvent {
  readonly type: 'thinking' | 'text';
  /** Which artifact says it; empty for a bare message, and for an agent that gives no id. */
  readonly artifactId: string;
  /** May be empty where it replaces: the text was taken back. */
  readonly delta: string;
  /**
   * What `delta` stands for. `nothing`: it follows what this artifact has said of this type. `artifact`: it replaces all
   * that. `answer`: it replaces the text of every artifact; thinking stays.
   */
  readonly replaces: 'nothing' | 'artifact' | 'answer';
}

/** How much of a snapshot is known already, and what the rest of it replaces. */
interface News {
  known: number;
  replaces: SpokenEvent['replaces'];
}

interface Said {
  readonly artifactId: string;
  readonly thinking: GrownText;
  readonly text: GrownText;
  /** Its text is the whole answer, as the agent has said; so is what replaces it. */
  isWholeAnswer: boolean;
}

/**
 * What the artifacts of one turn have said, and the events that tell it without repetition (rule A9). Whoever applies
 * the events, artifact by artifact in the order of their first text, has `answer()`. A chunk costs what it brings; a
 * snapshot costs its own length, never that of what it is compared with.
 */
export class SaidTexts {
  readonly #artifacts = new Map<string, Said>();
  /** Those of which some text may count, in the order of the answer, and the last of them. */
  readonly #live = new Set<Said>();
  #lastLive: Said | undefined;
  #answerLength = 0;
  /** All that is kept. */
  #characters = 0;
  /** Something was refused, because what is kept would have grown past a limit. */
  overLimit = false;

  /** A chunk that follows what the artifact has said (rule R12). */
  append(artifactId: string, { runs }: SpokenRuns): SpokenEvent[] {
    const events: SpokenEvent[] = [];
    const said = this.#saidBy(artifactId);
    if (said === undefined) return events;
    for (const { type, text } of runs) {
      if (text === '' || !this.#mayKeep(text.length)) continue;
      said[type].append(text);
      if (type === 'text') this.#count(said, text.length);
      events.push({ type, artifactId, delta: text, replaces: 'nothing' });
    }
    return events;
  }

  /**
   * All that the artifact says. A kind that has no part here stays as it was (rule R12). `mayBeOld`: it is of a whole
   * task, so a text that is the beginning of what is known is older, and no news (rule R13).
   */
  meet(artifactId: string, { runs, isWholeAnswer }: SpokenRuns, mayBeOld: boolean): SpokenEvent[] {
    const said = this.#saidBy(artifactId);
    if (said === undefined) return [];
    const thinking = this.#meetThinking(said.thinking, wholeOf(runs, 'thinking'), mayBeOld);
    const text = this.#meetText(said, wholeOf(runs, 'text'), isWholeAnswer, mayBeOld);
    return told(artifactId, runs, { thinking, text });
  }

  /** The answer: thoughts are none of it. Linear in its length. */
  answer(): string {
    return [...this.#live].map(({ text }) => text.live()).join('');
  }

  #meetThinking(known: GrownText, whole: string | undefined, mayBeOld: boolean): News | undefined {
    if (whole === undefined || isKnown(known, whole, mayBeOld)) return undefined;
    if (!this.#mayKeep(whole.length - known.length)) return undefined;
    const grew = known.isPrefixOf(whole);
    const news: News = grew ? { known: known.length, replaces: 'nothing' } : { known: 0, replaces: 'artifact' };
    known.set(whole);
    return news;
  }

  #meetText(said: Said, whole: string | undefined, isWholeAnswer: boolean, mayBeOld: boolean): News | undefined {
    if (whole === undefined) return undefined;
    const claims = isWholeAnswer && !said.isWholeAnswer;
    if (!claims && isKnown(said.text, whole, mayBeOld)) return undefined;
    if (!this.#mayKeep(whole.length - said.text.length)) return undefined;
    said.isWholeAnswer ||= isWholeAnswer;
    const news = said.isWholeAnswer ? this.#grownAnswer(said, whole) : this.#grownText(said, whole);
    return news ?? this.#replaced(said, whole);
  }

  /** The text of this artifact goes on. */
  #grownText(said: Said, whole: string): News | undefined {
    const { text } = said;
    const { length } = text;
    if (!text.isPrefixOf(whole)) return undefined;
    text.set(whole, length - text.liveLength);
    this.#count(said, whole.length - length);
    return { known: length, replaces: 'nothing' };
  }

  /** The whole answer goes on, and this artifact is where: what others have said of it stays theirs. */
  #grownAnswer(said: Said, whole: string): News | undefined {
    const length = this.#answerLength;
    const isLast = this.#lastLive === said || !this.#live.has(said);
    if (!(isLast && this.#answerStands(whole))) return undefined;
    said.text.set(whole, length - said.text.liveLength);
    this.#count(said, whole.length - length);
    return { known: length, replaces: 'nothing' };
  }

  #answerStands(whole: string): boolean {
    if (this.#answerLength > whole.length) return false;
    let at = 0;
    for (const { text } of this.#live) {
      if (!text.livesIn(whole, at)) return false;
      at += text.liveLength;
    }
    return true;
  }

  #replaced(said: Said, whole: string): News {
    const others = this.#answerLength - said.text.liveLength;
    const replaces = said.isWholeAnswer || others === 0 ? 'answer' : 'artifact';
    if (replaces === 'answer') this.#retireAll();
    else this.#answerLength = others;
    said.text.set(whole);
    this.#count(said, whole.length, true);
    return { known: 0, replaces };
  }

  #retireAll(): void {
    for (const { text } of this.#live) text.retire();
    this.#live.clear();
    this.#answerLength = 0;
  }

  /** So much more of this artifact counts. Who is told nothing of it must not have it among those that count. */
  #count(said: Said, characters: number, isTold = characters > 0): void {
    this.#answerLength += characters;
    if (!isTold || this.#live.has(said)) return;
    this.#live.add(said);
    this.#lastLive = said;
  }

  #saidBy(artifactId: string): Said | undefined {
    const known = this.#artifacts.get(artifactId);
    if (known !== undefined) return known;
    if (this.#artifacts.size >= AGENT_LIMITS.heardArtifacts) this.overLimit = true;
    if (this.overLimit || !this.#mayKeep(artifactId.length)) return undefined;
    const said = { artifactId, thinking: new GrownText(), text: new GrownText(), isWholeAnswer: false };
    this.#artifacts.set(artifactId, said);
    return said;
  }

  #mayKeep(characters: number): boolean {
    if (this.#characters + characters > AGENT_LIMITS.heardCharacters) this.overLimit = true;
    if (this.overLimit) return false;
    this.#characters += characters;
    return true;
  }
}

function isKnown(known: GrownText, whole: string, mayBeOld: boolean): boolean {
  return mayBeOld ? known.startsWith(whole) : known.equals(whole);
}

/** All text of one kind; `undefined` when there is no part of it. */
function wholeOf(runs: readonly Run[], type: Run['type']): string | undefined {
  let whole: string | undefined;
  for (const run of runs) if (run.type === type) whole = (whole ?? '') + run.text;
  return whole;
}

/** The news of a snapshot in the order of its parts. */
function told(
  artifactId: string,
  runs: readonly Run[],
  news: Readonly<Record<Run['type'], News | undefined>>,
): SpokenEvent[] {
  const events: SpokenEvent[] = [];
  for (const { type, text } of runs) {
    const of = news[type];
    if (of === undefined) continue;
    const { known, replaces } = of;
    of.known = Math.max(0, known - text.length);
    if (replaces === 'nothing' && known >= text.length) continue;
    events.push({ type, artifactId, delta: restOf(text, known), replaces });
    of.replaces = 'nothing';
  }
  return events;
}

/**
 * The rest of a text, as a string of its own where it is short: a slice keeps all of the text that it is cut from, and
 * whoever collects what growing snapshots add would keep them all.
 */
function restOf(text: string, from: number): string {
  if (from === 0) return text;
  const rest = text.slice(from);
  return rest.length < from ? Buffer.from(rest, 'utf16le').toString('utf16le') : rest;
}
