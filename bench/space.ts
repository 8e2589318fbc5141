// A Space as `kourier space serve` runs it, in a process of its own. Arguments: an agent's endpoint, a data folder.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../packages/kourier/src/main.ts';

const [url = '', data = ''] = process.argv.slice(2);
const card = {
  name: 'Bench',
  description: 'Ticks.',
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'tick', name: 'Tick', description: 'Ticks.', tags: ['bench'] }],
};
const config = join(data, 'space.yaml');
writeFileSync(join(data, 'card.json'), JSON.stringify(card));
writeFileSync(
  config,
  `apiVersion: agentkourier.dev/v1alpha1
kind: Space
metadata: { name: bench }
spec: {}
---
apiVersion: agentkourier.dev/v1alpha1
kind: SpaceAgent
metadata: { name: ticks }
spec: { space: bench, reach: inside, card: { file: card.json } }
`,
);
const READY = /^kourier: ready on (\S+)\n/;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text: string | Uint8Array, ...rest: never[]): boolean => {
  const ready = READY.exec(String(text))?.[1];
  if (ready === undefined) return write(text, ...rest);
  process.send?.(`${ready}/spaces/bench/agents/ticks`);
  return true;
};
process.once('disconnect', () => process.exit(0));
await main(['space', 'serve', '--config', config, '--data', data, '--port', '0', '--set', 'log.level=error']);
