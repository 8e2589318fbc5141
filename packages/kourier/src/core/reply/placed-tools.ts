import type { Artifact, Part } from './agent-event.ts';
import { BETWEEN } from './texts.ts';
import { isToolPart, type ToolPart, toolPart } from './tool-part.ts';

/** A tool part, and where it cuts the answer, in characters. */
export interface PlacedTool {
  readonly tool: ToolPart;
  readonly cut: number;
}

export const hasTools = (parts: readonly Part[]): boolean => parts.some(isToolPart);

/**
 * The tool parts of an artifact whose text begins at `start` and of which `own` characters came before. Each cuts
 * behind the artifact's own text so far, or, before any of it, behind all that stands before, so that the blank line
 * between two artifacts begins the second piece and is none by itself.
 */
export function placedTools(parts: readonly Part[], start: number, own = 0): PlacedTool[] {
  const placed: PlacedTool[] = [];
  let length = own;
  for (const part of parts) {
    if (part.kind === 'text' && !part.thought) length += part.text.length;
    const tool = toolPart(part);
    if (tool) placed.push({ tool, cut: length === 0 ? Math.max(0, start - BETWEEN.length) : start + length });
  }
  return placed;
}

/**
 * A snapshot's artifacts that have tool parts. Entries of one artifact that stand apart are one (case C083). An artifact
 * without text stands behind the text of those before it, not behind all of it: a step begins where its call was made.
 */
export function artifactTools(
  artifacts: readonly Artifact[],
  startOf: (artifactId: string) => number,
): ReadonlyMap<string, readonly PlacedTool[]> {
  const tools = new Map<string, PlacedTool[]>();
  const lengths = new Map<string, number>();
  let end = 0;
  for (const { artifactId, parts } of artifacts) {
    const own = lengths.get(artifactId) ?? 0;
    const length = own + textLength(parts);
    lengths.set(artifactId, length);
    const start = length > 0 ? startOf(artifactId) : end + BETWEEN.length;
    if (length > 0) end = start + length;
    if (!hasTools(parts)) continue;
    const list = tools.get(artifactId) ?? [];
    tools.set(artifactId, list);
    for (const placed of placedTools(parts, start, own)) list.push(placed);
  }
  return tools;
}

/** A snapshot is history: of several results of one call in one source the last counts (rule T4). `true`: it is not that one. */
export function outdated(tools: readonly ToolPart[]): (tool: ToolPart) => boolean {
  const last = new Map<string, ToolPart>();
  for (const tool of tools) if (tool.kind === 'result' && tool.callId !== undefined) last.set(tool.callId, tool);
  return (tool) => tool.kind === 'result' && tool.callId !== undefined && last.get(tool.callId) !== tool;
}

function textLength(parts: readonly Part[]): number {
  let length = 0;
  for (const part of parts) if (part.kind === 'text' && !part.thought) length += part.text.length;
  return length;
}
