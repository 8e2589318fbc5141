// The door that the official conformance kit calls when an agent is called through a gateway (docs/conformance.md).
// `--port N` where it listens, which the gateway publishes as its own address; `--to URL` where the gateway is.
import { parseArgs } from 'node:util';
import { openDoor } from './conformance-door.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '9981' }, to: { type: 'string' } } });
const gateway = new URL(values.to ?? 'http://127.0.0.1:8090').origin;

const url = await openDoor(Number(values.port), (asked) => {
  const { pathname, search } = new URL(asked.url);
  return fetch(new Request(gateway + pathname + search, asked));
});
process.stdout.write(`ready ${url}\n`);
