import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { forget, recentThreads, remember } from '../browser/recent-threads.ts';
import { pathOf, type Route, routeOf, watchRoute } from '../browser/route.ts';
import type { Outgoing } from '../outbox/outgoing.ts';
import { Icon } from './icon.tsx';
import { NewPage } from './new-page.tsx';
import { Sidebar } from './sidebar.tsx';
import { ThreadPage } from './thread-page.tsx';
import { useBindings } from './use-bindings.ts';
import { useDrafts } from './use-drafts.ts';
import { useOutbox } from './use-outbox.ts';

export function App(): VNode {
  const { route, go } = useRoute();
  const [threads, setThreads] = useState(recentThreads);
  const [menuOpen, setMenuOpen] = useState(false);
  const bindings = useBindings();
  const drafts = useDrafts();
  const { outbox, items } = useOutbox({
    started: ({ text }, thread) => {
      setThreads(remember(thread, text));
      drafts.move('new', thread);
      if (route.kind === 'new') go({ kind: 'thread', id: thread });
    },
    refused: ({ text, thread }, why) => drafts.giveBack(thread ?? 'new', text, why),
  });
  const send = (place: string, message: Pick<Outgoing, 'text' | 'thread' | 'binding'>): void => {
    drafts.write(place, '');
    outbox.submit(message);
  };
  const edit = ({ key, text, thread }: Outgoing): void => {
    outbox.withdraw(key);
    drafts.giveBack(thread ?? 'new', text);
  };
  const move = (to: Route): void => {
    setMenuOpen(false);
    go(to);
  };
  return (
    <div class={menuOpen ? 'app menu-open' : 'app'}>
      <div class="brand">
        <button
          type="button"
          class="quiet menu"
          aria-expanded={menuOpen}
          aria-controls="threads"
          aria-label="Threads"
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <Icon name={menuOpen ? 'close' : 'menu'} />
        </button>
        <span>Agent Kourier</span>
      </div>
      <Sidebar route={route} threads={threads} onGo={move} onForget={(id) => setThreads(forget(id))} />
      {route.kind === 'new' ? (
        <NewPage
          bindings={bindings}
          drafts={drafts}
          outgoing={items.filter((item) => item.thread === undefined)}
          onSend={(text, binding) => send('new', { text, binding })}
          onEdit={edit}
        />
      ) : (
        <ThreadPage
          key={route.id}
          id={route.id}
          bindings={bindings}
          drafts={drafts}
          outgoing={items.filter((item) => item.thread === route.id)}
          onSend={(text) => send(route.id, { text, thread: route.id })}
          onEdit={edit}
          onSeen={(turnIds) => outbox.confirm(turnIds)}
          onTitle={(firstText) => {
            document.title = `${firstText.trim().slice(0, 60)} · Agent Kourier`;
            setThreads(remember(route.id, firstText));
          }}
        />
      )}
    </div>
  );
}

function useRoute(): { readonly route: Route; readonly go: (to: Route) => void } {
  const [route, setRoute] = useState(() => routeOf(location.pathname));
  useEffect(() => watchRoute(setRoute), []);
  useEffect(() => {
    if (route.kind === 'new') document.title = 'Agent Kourier';
  }, [route]);
  const go = (to: Route): void => {
    history.pushState(null, '', pathOf(to));
    setRoute(to);
  };
  return { route, go };
}
