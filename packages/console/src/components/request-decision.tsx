import type { VNode } from 'preact';
import type { Actor, RequestEntry } from '../api/wire.ts';
import { whoAmI } from '../browser/who-am-i.ts';
import { decisionOf } from '../request/decision-words.ts';
import { visibleLine } from '../text/visible.ts';
import { ExactValue } from './exact-value.tsx';
import { Icon } from './icon.tsx';
import { Time } from './time.tsx';
import { ToolName } from './tool-view.tsx';
import { VisibleText } from './visible-text.tsx';

const ICONS = { good: 'done', bad: 'failed', quiet: 'wait' } as const;

/** What was decided, by whom, and when as far as that is on record. */
export function RequestDecision({
  request,
  at,
}: {
  readonly request: RequestEntry;
  readonly at?: string | undefined;
}): VNode {
  const { tone, words, by, more } = decisionOf(request);
  return (
    <>
      <p class={`decision ${tone}`}>
        <Icon name={ICONS[tone]} />
        <strong>{words}</strong> {by !== undefined && <Who actor={by} />} {at !== undefined && <Time at={at} />}
      </p>
      {more !== undefined && <p class="decision-more">{more}</p>}
      {request.type === 'tool-approval' ? <Tools request={request} /> : <Answered request={request} />}
    </>
  );
}

function Who({ actor }: { readonly actor: Actor }): VNode {
  if (actor.id === whoAmI().id) return <span>by you</span>;
  return (
    <span>
      by <span class="who">{visibleLine(actor.name ?? actor.id, 60)}</span>
      {actor.name !== undefined && <span class="label"> {visibleLine(actor.id, 60)}</span>}
    </span>
  );
}

function Tools({ request: { tools, state, answer } }: { readonly request: RequestEntry }): VNode {
  const verdictOf = (id: string): 'approved' | 'denied' | 'undecided' => {
    if (state === 'expired') return 'denied';
    const approval = answer?.approvals.find((one) => one.id === id);
    if (approval === undefined) return 'undecided';
    return approval.approved ? 'approved' : 'denied';
  };
  return (
    <ul class="decided">
      {tools.map((tool, at) => (
        <li key={at}>
          <details>
            <summary>
              <ToolName name={tool.name} /> <span class={`step-state ${verdictOf(tool.id)}`}>{verdictOf(tool.id)}</span>
            </summary>
            <ExactValue value={tool.args} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Answered({ request: { questions, answer } }: { readonly request: RequestEntry }): VNode {
  return (
    <dl class="answered">
      {questions.map(({ question }, at) => (
        <div key={at}>
          <dt dir="auto">
            <VisibleText text={question} />
          </dt>
          {answer?.answers[at]?.map((given) => (
            <dd key={given} dir="auto">
              <VisibleText text={given} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
