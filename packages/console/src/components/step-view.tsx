import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { StepEntry } from '../api/wire.ts';
import { jsonText } from '../text/json-text.ts';
import { visibleLine } from '../text/visible.ts';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';

const STATE_WORDS = { running: 'running', done: 'done', failed: 'failed', waiting: 'waiting for a decision' } as const;
const ICONS = { running: 'running', done: 'done', failed: 'failed', waiting: 'wait' } as const;

interface Props {
  readonly step: StepEntry;
  /** Its turn waits for an approval, so a step that runs is held back. */
  readonly isHeld: boolean;
}

/** A tool call: its name and state on one line, what went in and came out folded away. */
export function StepView({ step, isHeld }: Props): VNode {
  const [open, setOpen] = useState(false);
  const { name, args, result } = step;
  const state = isHeld && step.state === 'running' ? 'waiting' : step.state;
  return (
    <details class={`step ${state}`} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name={ICONS[state] ?? 'wait'} />
        <span class="step-name">{visibleLine(name)}</span>
        <span class="step-state">{STATE_WORDS[state] ?? visibleLine(String(state), 30)}</span>
      </summary>
      {open && (
        <div class="step-body">
          <Value title="Arguments" value={args} />
          <Value title={state === 'failed' ? 'Error' : 'Result'} value={result} />
        </div>
      )}
    </details>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }): VNode {
  const { text, left } = jsonText(value);
  return (
    <>
      <div class="label">{title}</div>
      {text === '' ? (
        <div class="none">None</div>
      ) : (
        <pre class="value">
          <VisibleText text={text} />
          {left > 0 && <mark>‹{left} characters more›</mark>}
        </pre>
      )}
    </>
  );
}
