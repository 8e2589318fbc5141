import type { TargetedMouseEvent, VNode } from 'preact';
import type { RecentThread } from '../browser/recent-threads.ts';
import { pathOf, type Route } from '../browser/route.ts';
import { Icon } from './icon.tsx';

interface Props {
  readonly route: Route;
  readonly threads: readonly RecentThread[];
  readonly onGo: (route: Route) => void;
  readonly onForget: (id: string) => void;
}

/** The threads that this browser has seen. */
export function Sidebar({ route, threads, onGo, onForget }: Props): VNode {
  const link = (to: Route) => ({
    href: pathOf(to),
    onClick: (event: TargetedMouseEvent<HTMLAnchorElement>) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      onGo(to);
    },
  });
  return (
    <nav class="sidebar" id="threads" aria-label="Threads">
      <a class="new-thread" {...link({ kind: 'new' })} aria-current={route.kind === 'new' ? 'page' : undefined}>
        <Icon name="plus" />
        New thread
      </a>
      <h2>Recent in this browser</h2>
      {threads.length === 0 && <p class="none">None yet.</p>}
      <ul>
        {threads.map(({ id, title }) => (
          <li key={id}>
            <a
              {...link({ kind: 'thread', id })}
              title={title}
              aria-current={route.kind === 'thread' && route.id === id ? 'page' : undefined}
            >
              {title}
            </a>
            <button
              type="button"
              class="quiet"
              aria-label={`Forget “${title}”`}
              title="Forget (the thread itself stays)"
              onClick={() => onForget(id)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
