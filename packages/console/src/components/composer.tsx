import type { ComponentChildren, TargetedKeyboardEvent, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Props {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  /** Absent while nothing runs. */
  readonly onStop?: (() => void) | undefined;
  readonly stopping: boolean;
  readonly canSend: boolean;
  readonly placeholder: string;
  /** What a message does here, where that is not plain. */
  readonly note?: ComponentChildren;
  readonly error?: string | undefined;
  readonly children?: ComponentChildren;
}

/** On a phone the return key makes a new line, as everywhere there. */
const ENTER_SENDS = !matchMedia('(pointer: coarse)').matches;

export function Composer(props: Props): VNode {
  const { text, onText, onSend, onStop, stopping, canSend, placeholder, note, error, children } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => growToText(box.current), [text]);
  // At once: later it would take the focus from somebody who has moved on.
  useLayoutEffect(() => {
    if (ENTER_SENDS) box.current?.focus({ preventScroll: true });
  }, []);
  const describedBy = [error !== undefined && 'composer-error', note !== undefined && 'composer-note'].filter(Boolean);
  const ready = canSend && text.trim() !== '';
  const send = (): void => {
    if (ready) onSend();
    box.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || (ENTER_SENDS && !event.shiftKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {error !== undefined && (
        <p class="problem" id="composer-error" role="alert">
          {error}
        </p>
      )}
      {note !== undefined && (
        <p class="composer-note" id="composer-note">
          {note}
        </p>
      )}
      <div class="box">
        <textarea
          ref={box}
          rows={1}
          value={text}
          aria-label="Message"
          placeholder={placeholder}
          aria-describedby={describedBy.length === 0 ? undefined : describedBy.join(' ')}
          aria-invalid={error !== undefined}
          dir="auto"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {onStop !== undefined && (
          <button type="button" class="stop" onClick={onStop} disabled={stopping}>
            <Icon name="stop" />
            {stopping ? 'Stopping…' : 'Stop'}
          </button>
        )}
        <button type="submit" class="send" aria-label="Send" title="Send" disabled={!ready}>
          <Icon name="send" />
        </button>
      </div>
      <div class="composer-foot">
        {children}
        {ENTER_SENDS && <span class="hint">Enter sends, Shift+Enter starts a new line</span>}
      </div>
    </form>
  );
}

/** As high as its text; the style sheet says how high at most. */
function growToText(box: HTMLTextAreaElement | null): void {
  if (box === null || CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}
