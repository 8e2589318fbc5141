import type { WebSocket } from 'ws';
import type { Clock } from '../../../ports/clock.ts';
import { TUNNEL_LIMITS } from './limits.ts';

/**
 * Asks the other end whether it is there, and cuts a connection whose end says nothing: of a half-open one nobody tells.
 * Whatever comes is a sign of life, so that an answer behind much else does not count as missing. The function returned
 * ends it.
 */
export function keepPulse(socket: WebSocket, clock: Clock): () => void {
  let isHeard = true;
  let callOff = (): void => undefined;
  const heard = (): void => {
    isHeard = true;
  };
  const ask = (): void => {
    isHeard = false;
    socket.ping(undefined, undefined, () => undefined);
    callOff = clock.wakeAt(clock.now() + TUNNEL_LIMITS.pongWithinMs, judge);
  };
  const judge = (): void => {
    if (!isHeard) return socket.terminate();
    wait();
  };
  const wait = (): void => {
    callOff = clock.wakeAt(clock.now() + TUNNEL_LIMITS.pingEveryMs, ask);
  };
  socket
    .on('message', heard)
    .on('pong', heard)
    .on('ping', (data: Buffer) => {
      heard();
      // An end that asks without reading the answers would make us hold them all.
      if (socket.bufferedAmount <= TUNNEL_LIMITS.frameBytes) socket.pong(data, undefined, () => undefined);
    });
  wait();
  return () => callOff();
}
