import { useEffect, useState } from 'preact/hooks';
import { ThreadStream, type ThreadView } from '../timeline/thread-stream.ts';

const CONNECTING: ThreadView = { connection: 'connecting' };

/** Follows a thread while it is on the page. */
export function useThread(id: string): ThreadView {
  const [view, setView] = useState<ThreadView>(CONNECTING);
  useEffect(() => {
    setView(CONNECTING);
    const stream = new ThreadStream(id, setView);
    return () => stream.close();
  }, [id]);
  return view;
}
