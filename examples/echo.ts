// The smallest agent: it says again what it was told, word by word. Run it: npx node examples/echo.ts
import { serveAgent } from '@agentkourier/agent';

const agent = {
  name: 'Echo',
  description: 'Says again what it was told.',
  async *turn({ text }: { text: string }) {
    for (const word of text.split(/(?<=\s)/)) yield word;
  },
};

const { url } = await serveAgent(agent, { port: Number(process.env['PORT'] ?? 9001) });
process.stdout.write(`Echo is ready on ${url}\n`);
