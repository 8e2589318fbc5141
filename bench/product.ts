// The product as `kourier up` runs it, in a process of its own. Arguments: the agent's URL, a data folder.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../packages/kourier/src/main.ts';

const [url = '', data = ''] = process.argv.slice(2);
const config = join(data, 'kourier.yaml');
writeFileSync(
  config,
  `apiVersion: agentkourier.dev/v1alpha1
kind: AgentBackend
metadata: { name: bench }
spec: { dialect: a2a, url: ${url} }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Binding
metadata: { name: bench }
spec: { backend: bench, identity: { userId: bench }, chat: { platform: web } }
`,
);
const READY = /^kourier: ready on (\S+)\n/;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (text: string | Uint8Array, ...rest: never[]): boolean => {
  const url = READY.exec(String(text))?.[1];
  if (url === undefined) return write(text, ...rest);
  process.send?.(url);
  return true;
};
process.once('disconnect', () => process.exit(0));
await main(['up', '--config', config, '--data', data, '--port', '0', '--set', 'log.level=error']);
