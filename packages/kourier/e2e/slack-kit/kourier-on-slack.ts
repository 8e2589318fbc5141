/**
 * Stands in for `kourier` before the acceptance kit: `kourier-on-slack.ts up --config FOLDER --data FOLDER --host HOST
 * --port PORT`. Its bindings answer on a fake Slack; what the kit does over the web is done there by people, and what it
 * reads is the product's own timeline. From the first double or ping on the Slack no timeline is had any more.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { fakeSlack } from '../../contract/slack/fake-slack.ts';
import { machineClock } from '../../src/adapters/machine/clock.ts';
import { KOURIER } from '../process/product-process.ts';
import { type Actor, writeOnSlack } from './on-slack.ts';
import { type GivenOnWeb, type RequestOnWeb, SlackPeople } from './slack-people.ts';

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
  },
});

interface Written {
  readonly actor: Actor;
  readonly text: string;
  readonly binding?: string;
  readonly mention?: boolean;
}

interface Timeline {
  readonly entries: readonly (RequestOnWeb & { readonly kind: string })[];
}

const slack = await fakeSlack({ clock: machineClock(), rateLimits: false });
const config = join(options.data, 'on-slack');
writeOnSlack(options.config, config, slack);
const args = [KOURIER, 'up', '--port', '0', '--config', config, '--data', options.data];
const product = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
product.once('exit', (code) => process.exit(code ?? 1));
process.once('SIGTERM', () => product.kill('SIGTERM'));

/** Somebody waits for the next thread whose first turn begins. */
let begun = Promise.withResolvers<string>();
const people = new SlackPeople(slack, () => {
  begun = Promise.withResolvers<string>();
  return begun.promise;
});
createInterface({ input: product.stderr }).on('line', (line) => {
  process.stderr.write(`${line}\n`);
  const { event, thread } = logged(line);
  if (event === 'turn-began' && thread !== undefined && !people.knows(thread)) begun.resolve(thread);
});
const [ready] = await once(createInterface({ input: product.stdout }), 'line');
const url = String(ready).replace('kourier: ready on ', '');

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(options.port), options.host);

async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
  const [path = '', verb] = [request.url, request.method];
  const [, , , kind, id = '', what] = path.split('/');
  if (verb !== 'POST') {
    const { doubled, called } = slack.audit;
    if (doubled.length + called.length > 0) throw new Error(`on Slack: ${JSON.stringify({ doubled, called })}`);
    return passedOn(path);
  }
  if (kind === 'requests') {
    return { status: await decided(id, (await json(request)) as GivenOnWeb), body: '{}' };
  }
  const { actor, text, binding = '', mention = true } = (await json(request)) as Written;
  if (id === '') return { status: 201, body: JSON.stringify({ thread: await people.open(binding, actor, text) }) };
  if (what === 'stop') await people.stop(id, actor);
  else await people.say(id, actor, text, mention);
  return { status: 202, body: '{}' };
}

/** The status with which the product would have answered over the web. */
async function decided(id: string, given: GivenOnWeb): Promise<number> {
  const { thread, entry } = await requestOf(id);
  if (entry.state !== 'open') {
    await people.settled(thread, entry);
    return 409;
  }
  if (!(await people.answer(thread, entry, given))) return 422;
  return (await requestOf(id)).entry.answer === undefined ? 403 : 202;
}

const read = new Map<string, string>();

/** As the product answers; the requests in it are remembered. */
async function passedOn(path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(url + path);
  const body = await response.text();
  if (path.startsWith('/api/v1/threads/') && response.ok) {
    for (const { kind, id } of (JSON.parse(body) as Timeline).entries) if (kind === 'request') read.set(id, path);
  }
  return { status: response.status, body };
}

async function requestOf(id: string): Promise<{ thread: string; entry: RequestOnWeb }> {
  const path = read.get(id) ?? '';
  const { entries } = JSON.parse((await passedOn(path)).body) as Timeline;
  const entry = entries.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`no request ${id}`);
  return { thread: path.split('/').at(-1) ?? '', entry };
}

function logged(line: string): { readonly event?: string; readonly thread?: string } {
  try {
    return JSON.parse(line) as { event?: string; thread?: string };
  } catch {
    return {};
  }
}
