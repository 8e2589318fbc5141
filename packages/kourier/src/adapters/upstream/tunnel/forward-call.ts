import { type ClientRequest, type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { request as tlsRequest } from 'node:https';
import { pipeline } from 'node:stream';
import { TUNNEL_LIMITS } from './limits.ts';
import { passedOn } from './tunnel-wire.ts';

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE'];

/** `..` between encoded slashes: an agent that decodes them would leave the folder that it was confined to. */
const STEPS_UP = /(^|\/|%2f|%5c)(\.|%2e){2}($|\/|%2f|%5c)/i;

/**
 * Passes one call of the gateway on to the agent at `to`, and the answer back. The path stays as it is: what is signed
 * for it holds. What is not below `to` is answered here. Each call has a connection of its own, so that one that the
 * agent closed meanwhile is never mistaken for a call that it took.
 */
export function forwardCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, to: URL): void {
  // A reset of either end: what it means to the call is told by `close`.
  stream.on('error', () => undefined);
  const { ':method': method = '', ':path': path = '' } = headers;
  if (!METHODS.includes(method)) return refuse(stream, 405, 'a tunnel passes GET, POST, PUT and DELETE on');
  if (!isBelow(to, path)) return refuse(stream, 404, 'this path is not below the URL that the tunnel leads to (--to)');
  if (Number(headers['content-length'] ?? 0) > TUNNEL_LIMITS.requestBytes)
    return refuse(stream, 413, `a tunnel passes bodies of at most ${TUNNEL_LIMITS.requestBytes} bytes on`);
  // An agent that is told to close does so when it has answered, and what it did not read of the body then costs the answer.
  pass(stream, to, { method, path, headers: { ...passedOn(headers), connection: 'keep-alive' } });
}

/** Whether a path, as it came, leads to what is below the agent's URL, however it is read. */
export function isBelow(to: URL, path: string): boolean {
  const url = URL.canParse(`${to.origin}${path}`) ? new URL(`${to.origin}${path}`) : undefined;
  // Whatever a URL parser would change is written to be read in two ways.
  if (url === undefined || url.origin !== to.origin || `${url.pathname}${url.search}` !== path) return false;
  const folder = to.pathname.replace(/\/$/, '');
  return (url.pathname === folder || url.pathname.startsWith(`${folder}/`)) && !STEPS_UP.test(url.pathname);
}

function pass(stream: ServerHttp2Stream, to: URL, call: RequestOptions): void {
  const isTls = to.protocol === 'https:';
  const outgoing = (isTls ? tlsRequest : plainRequest)({
    ...{ ...call, hostname: to.hostname.replace(/^\[|\]$/g, ''), port: to.port, agent: false },
    maxHeaderSize: TUNNEL_LIMITS.headerBytes,
  });
  let isConnected = false;
  const connected = (): void => {
    isConnected = true;
  };
  outgoing
    .on('socket', (socket) => socket.once(isTls ? 'secureConnect' : 'connect', connected))
    .on('response', (answer) => passAnswer(answer, stream))
    // Nobody asked for another protocol.
    .on('upgrade', (_answer, socket) => socket.destroy())
    .on('error', (error) => {
      // What became of an answer that has begun, the answer tells.
      if (!stream.headersSent) stream.close(codeOf(error, isConnected));
    })
    .on('close', () => {
      if (!(stream.headersSent || stream.closed)) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
  stream.on('close', () => outgoing.destroy());
  passBody(stream, outgoing);
}

/** What the gateway is told of a call without an answer (RFC 9113, section 7). */
function codeOf(error: NodeJS.ErrnoException, isConnected: boolean): number {
  // It says that nothing reached the agent (section 8.7).
  if (!isConnected) return constants.NGHTTP2_REFUSED_STREAM;
  if (error.code === 'HPE_HEADER_OVERFLOW') return constants.NGHTTP2_ENHANCE_YOUR_CALM;
  return error.code?.startsWith('HPE_') ? constants.NGHTTP2_PROTOCOL_ERROR : constants.NGHTTP2_INTERNAL_ERROR;
}

function passBody(stream: ServerHttp2Stream, outgoing: ClientRequest): void {
  let bytes = 0;
  stream
    .on('data', (piece: Uint8Array) => {
      bytes += piece.byteLength;
      if (bytes > TUNNEL_LIMITS.requestBytes) stream.destroy(new Error('the body is too large'));
    })
    // A stream that was reset ends, too; the agent must not take what came of it for all.
    .on('end', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) outgoing.end();
    })
    // An agent may answer without reading all: the rest is dropped, so that the stream can end.
    .on('finish', () => {
      stream.unpipe(outgoing);
      stream.resume();
    })
    .pipe(outgoing, { end: false });
}

function passAnswer(answer: IncomingMessage, stream: ServerHttp2Stream): void {
  if (stream.closed) return void answer.destroy();
  try {
    stream.respond({ ...passedOn(answer.headers), ':status': answer.statusCode });
  } catch {
    // A header or a status that HTTP/2 cannot say.
    stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    return;
  }
  // On an error it destroys the stream. `close` would write an end first, and an answer that was cut would look whole.
  pipeline(answer, stream, () => undefined);
}

function refuse(stream: ServerHttp2Stream, status: number, text: string): void {
  stream.resume();
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
  stream.end(`${text}\n`);
}
