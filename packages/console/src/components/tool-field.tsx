import type { VNode } from 'preact';
import type { RequestedTool } from '../api/wire.ts';
import type { Verdict } from '../request/verdicts.ts';
import { ExactValue } from './exact-value.tsx';
import { Icon } from './icon.tsx';
import { ToolName } from './tool-view.tsx';

interface Props {
  readonly name: string;
  readonly tool: RequestedTool;
  readonly verdict: Verdict;
  /** It was to be sent, and this tool is not decided. */
  readonly isMissing: boolean;
  readonly onVerdict: (verdict: Verdict) => void;
}

const CHOICES = [
  { verdict: 'deny', words: 'Deny', icon: 'failed' },
  { verdict: 'approve', words: 'Approve', icon: 'done' },
] as const;

/** One of several tools, to be approved or denied. */
export function ToolField({ name, tool, verdict, isMissing, onVerdict }: Props): VNode {
  const error = isMissing ? `${name}-error` : undefined;
  return (
    <fieldset class="tool" aria-describedby={error}>
      <legend>
        <ToolName name={tool.name} />
      </legend>
      <ExactValue value={tool.args} />
      <div class="verdicts">
        {error !== undefined && (
          <p class="field-error" id={error}>
            Approve or deny this one.
          </p>
        )}
        {CHOICES.map(({ verdict: one, words, icon }) => (
          <label key={one} class={`verdict ${one}`}>
            <input type="radio" name={name} checked={verdict === one} onChange={() => onVerdict(one)} />
            <Icon name={icon} />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
