import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Part } from '@agentkourier/a2a/model';

/** Text of one kind without the other kind between. */
export interface Run {
  readonly type: 'thinking' | 'text';
  readonly text: string;
}

export interface SpokenRuns {
  readonly runs: readonly Run[];
  /** The agent says that this text is its whole answer so far, whatever other artifacts have said. */
  readonly isWholeAnswer: boolean;
}

/**
 * The text of parts in their order. Thinking is what its part marks as such (decision 11); a name or a status is no mark
 * (rule A8). Left out is text that ADK marks as partial: each piece of it replaces the last one, the end empties it
 * without a text part, and the whole text follows in another artifact.
 */
export function spokenRuns(parts: readonly Part[]): SpokenRuns {
  const runs: { type: Run['type']; text: string }[] = [];
  let isWholeAnswer = false;
  for (const part of parts) {
    if (part.kind !== 'text' || part.metadata?.['adk_partial'] === true) continue;
    const type = part.metadata !== undefined && isThought(part.metadata) ? 'thinking' : 'text';
    if (type === 'text' && part.metadata?.['ksadk_output_snapshot'] === true) isWholeAnswer = true;
    const last = runs.at(-1);
    if (last?.type === type) last.text += part.text;
    else runs.push({ type, text: part.text });
  }
  return { runs, isWholeAnswer };
}

/** Decision 11. */
function isThought(metadata: JsonObject): boolean {
  return metadata['adk_thought'] === true || metadata['kagent_thought'] === true || metadata['thought'] === true;
}
