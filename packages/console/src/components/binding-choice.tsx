import type { VNode } from 'preact';
import type { Binding } from '../api/wire.ts';
import { visibleLine } from '../text/visible.ts';

interface Props {
  readonly bindings: readonly Binding[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

export function agentName(binding: Binding): string {
  return visibleLine(binding.agent?.name ?? binding.name, 80);
}

/** Whom to write to. One agent is no choice: it is only introduced. */
export function BindingChoice({ bindings, chosen, onChoose }: Props): VNode {
  const [only] = bindings;
  if (only !== undefined && bindings.length === 1) {
    return (
      <>
        <h1>{agentName(only)}</h1>
        <p class="description">{visibleLine(only.agent?.description ?? 'Write a message to begin.', 400)}</p>
      </>
    );
  }
  return (
    <fieldset class="bindings">
      <legend>Whom do you want to write to?</legend>
      {bindings.map((binding) => (
        <label key={binding.name} class="binding">
          <input
            type="radio"
            name="binding"
            value={binding.name}
            checked={binding.name === chosen}
            onChange={() => onChoose(binding.name)}
          />
          <span>
            <strong>{agentName(binding)}</strong>
            {binding.agent?.name !== undefined && <span class="label"> {visibleLine(binding.name, 60)}</span>}
            <span class="description">{visibleLine(binding.agent?.description ?? '', 240)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
