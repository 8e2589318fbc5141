import { useEffect, useRef, useState } from 'preact/hooks';
import type { Given, RequestEntry } from '../api/wire.ts';
import { AnswerSender, type Sending } from '../request/answer-sender.ts';

export interface AnswerInHand {
  readonly sending: Sending;
  /** Nothing can be changed now. */
  readonly busy: boolean;
  send(given: Given): void;
  withdraw(): void;
}

/** The answer that this page gives to a request. A request that is open again takes another. */
export function useAnswer({ id, state }: RequestEntry): AnswerInHand {
  const [sending, setSending] = useState<Sending>({ kind: 'idle' });
  // Not in an effect: those run after the page is drawn, and a click may be faster.
  const [sender] = useState(() => new AnswerSender(id, setSending));
  const isOpen = state === 'open';
  const wasOpen = useRef(isOpen);
  useEffect(() => () => sender.close(), []);
  useEffect(() => {
    if (isOpen && !wasOpen.current) sender.withdraw();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return {
    sending,
    busy: sending.kind !== 'idle' && sending.kind !== 'refused',
    send: (given) => sender.send(given),
    withdraw: () => sender.withdraw(),
  };
}
