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
  const sender = useRef<AnswerSender | undefined>(undefined);
  const isOpen = state === 'open';
  useEffect(() => {
    const made = new AnswerSender(id, setSending);
    sender.current = made;
    return () => made.close();
  }, [id]);
  useEffect(() => {
    if (isOpen) sender.current?.withdraw();
  }, [isOpen]);
  return {
    sending,
    busy: sending.kind !== 'idle' && sending.kind !== 'refused',
    send: (given) => sender.current?.send(given),
    withdraw: () => sender.current?.withdraw(),
  };
}
