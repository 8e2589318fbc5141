import type { ComponentChildren, VNode } from 'preact';
import type { RequestedTool } from '../api/wire.ts';
import { ExactValue } from './exact-value.tsx';
import { VisibleText } from './visible-text.tsx';

/** A tool and exactly what it would run with. */
export function ToolView({
  tool,
  children,
}: {
  readonly tool: RequestedTool;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="tool">
      <div class="tool-head">
        <ToolName name={tool.name} />
        {children}
      </div>
      <ExactValue value={tool.args} />
    </div>
  );
}

export function ToolName({ name }: { readonly name: string }): VNode {
  return (
    <code class="tool-name">
      <VisibleText text={name} />
    </code>
  );
}
