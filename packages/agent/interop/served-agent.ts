import {
  type AgentDefinition,
  agentCard,
  type ProtocolVersion,
  type ServedAgent,
  serveAgent,
  type Turn,
} from '../src/index.ts';

/**
 * `ask …` pauses with a question and says its answer, `hold …` goes on until it is canceled, anything else is said
 * again word by word, with a data part and a file behind it.
 */
async function* turn({ text, ask, signal }: Turn) {
  if (text.startsWith('ask')) {
    yield `You said: ${await ask('Where?')}`;
    return;
  }
  if (text.startsWith('hold')) {
    yield 'Held';
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return;
  }
  for (const word of text.match(/\S+\s*/g) ?? []) yield word;
  yield { part: { kind: 'data' as const, data: { words: text.split(' ').length } } };
  yield {
    part: { kind: 'file' as const, url: 'https://files.example/a.png', mediaType: 'image/png', filename: 'a.png' },
  };
}

const AGENT: AgentDefinition = { name: 'Echo', description: 'Says it again.', version: '1.2.3', turn };

/**
 * An agent that speaks the given versions, on a free port. Everybody is the same caller, who gets a fuller card, and
 * whose webhooks are on this machine.
 */
export function serveEcho(protocols: readonly ProtocolVersion[] = ['1.0', '0.3']): Promise<ServedAgent> {
  return serveAgent(AGENT, {
    protocols,
    push: { fetch },
    authenticate: () => ({ id: 'interop' }),
    extendedCard: () => ({ ...agentCard(AGENT, 'http://agent.example'), name: 'Echo, fuller' }),
  });
}
