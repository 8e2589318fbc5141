/**
 * Stands in for `kourier` before the acceptance kit: `kourier-on-slack.ts --workspaces URL up --config FOLDER --data
 * FOLDER --host HOST --port PORT`. It runs the product on the Slack of that folder of data, and passes on to its people
 * what the kit calls. A signal reaches both, because the kit signals the process group.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { KOURIER } from '../process/product-process.ts';
import { BEGAN, CONFIGURE, READY, type Told } from './told.ts';

const { values: options } = parseArgs({
  allowPositionals: true,
  options: {
    workspaces: { type: 'string', default: '' },
    config: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
  },
});

const workspace = `${options.workspaces}/${encodeURIComponent(options.data)}`;

let isReady = false;

// Before anything else: whatever asks for a free port meanwhile would be given this one.
const server = createServer((request, response) => {
  const { method = '', url = '' } = request;
  if (!isReady) return void response.writeHead(503).end();
  text(request)
    .then((body) => fetch(workspace + url, { method, ...(method === 'POST' && { body }) }))
    .then(async (answer) => response.writeHead(answer.status).end(await answer.text()))
    .catch((error: unknown) => response.writeHead(500).end(String(error)));
});
server.listen(Number(options.port), options.host);
await once(server, 'listening');
// The product ends by itself, and this with it.
process.on('SIGTERM', () => undefined);

const config = await tell(CONFIGURE, { config: options.config });
const args = [KOURIER, 'up', '--port', '0', '--config', config, '--data', options.data];
const product = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
product.once('exit', (code) => process.exit(code ?? 1));
process.once('exit', () => product.kill('SIGKILL'));
createInterface({ input: product.stderr }).on('line', (line) => {
  process.stderr.write(`${line}\n`);
  const { event, thread } = logged(line);
  if (event === 'turn-began' && thread !== undefined) void tell(BEGAN, { thread });
});
const [ready] = await once(createInterface({ input: product.stdout }), 'line');
await tell(READY, { url: String(ready).replace('kourier: ready on ', '') });
isReady = true;

async function tell(what: string, told: Told): Promise<string> {
  const response = await fetch(workspace + what, { method: 'POST', body: JSON.stringify(told) });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}

function logged(line: string): { readonly event?: string; readonly thread?: string } {
  try {
    return JSON.parse(line) as { event?: string; thread?: string };
  } catch {
    return {};
  }
}
