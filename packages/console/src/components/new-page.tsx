import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { readItem, writeItem } from '../browser/storage.ts';
import type { Outgoing } from '../outbox/outgoing.ts';
import { agentName, BindingChoice } from './binding-choice.tsx';
import { Composer } from './composer.tsx';
import { NameField } from './name-field.tsx';
import { OutgoingView } from './outgoing-view.tsx';
import { Topbar } from './topbar.tsx';
import type { Bindings } from './use-bindings.ts';
import type { Drafts } from './use-drafts.ts';

interface Props {
  readonly bindings: Bindings;
  readonly drafts: Drafts;
  readonly outgoing: readonly Outgoing[];
  readonly onSend: (text: string, binding: string) => void;
  readonly onEdit: (item: Outgoing) => void;
}

/** Where a thread begins. */
export function NewPage({ bindings: { list, error }, drafts, outgoing, onSend, onEdit }: Props): VNode {
  const [wanted, setWanted] = useState(() => readItem('binding'));
  const chosen = list?.find(({ name }) => name === wanted) ?? list?.[0];
  const choose = (name: string): void => {
    writeItem('binding', name);
    setWanted(name);
  };
  return (
    <main class="page new">
      <Topbar title="New thread" />
      <div class="empty">
        {list === undefined && <p role="status">{error ?? 'Connecting…'}</p>}
        {list?.length === 0 && (
          <>
            <h1>No agent yet</h1>
            <p>
              This server has no binding for the web. Add a Binding with “chat: {'{ platform: web }'}” to its
              configuration.
            </p>
          </>
        )}
        {list !== undefined && list.length > 0 && (
          <BindingChoice bindings={list} chosen={chosen?.name} onChoose={choose} />
        )}
      </div>
      {outgoing.length > 0 && (
        <div class="timeline">
          {outgoing.map((item) => (
            <OutgoingView key={item.key} item={item} onEdit={() => onEdit(item)} />
          ))}
        </div>
      )}
      <div class="dock">
        <Composer
          text={drafts.text('new')}
          error={drafts.error('new')}
          onText={(text) => drafts.write('new', text)}
          onSend={() => chosen !== undefined && onSend(drafts.text('new'), chosen.name)}
          stopping={false}
          canSend={chosen !== undefined && outgoing.length === 0}
          placeholder={chosen === undefined ? 'Write a message' : `Write to ${agentName(chosen)}`}
        >
          <NameField />
        </Composer>
      </div>
    </main>
  );
}
