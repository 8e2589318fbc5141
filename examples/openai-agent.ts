// An agent on any OpenAI-compatible endpoint. README.md beside this file says how to run it.
import { AgentFailure, type FailureCategory, serveAgent, type Turn } from '@agentkourier/agent';

const {
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  OPENAI_API_KEY = '',
  OPENAI_MODEL = 'gpt-4o-mini',
} = process.env;
const CATEGORIES: Partial<Record<number, FailureCategory>> = { 401: 'authentication', 429: 'rate-limit' };
const CONVERSATIONS = 1_000;
const MESSAGES_EACH = 40;

type Message = { role: 'user' | 'assistant'; content: string };

/** What was said before in each thread, for the threads that spoke last. */
const conversations = new Map<string, Message[]>();

async function* turn({ text, contextId, signal }: Turn) {
  const messages: Message[] = [...(conversations.get(contextId) ?? []), { role: 'user', content: text }];
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` },
    body: JSON.stringify({ model: OPENAI_MODEL, messages, stream: true }),
    signal, // Stop in the thread stops the model, too.
  });
  const { ok, status, body } = response;
  if (!ok || body === null) throw new AgentFailure({ code: `http_${status}`, category: CATEGORIES[status] });
  let answer = '';
  for await (const piece of pieces(body)) {
    answer += piece;
    yield piece;
  }
  remember(contextId, [...messages, { role: 'assistant', content: answer }]);
}

/** The text in a stream of server-sent events, as it arrives. */
async function* pieces(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let waiting = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const lines = (waiting + chunk).split('\n');
    waiting = lines.pop() ?? '';
    for (const line of lines) {
      const event = /^data: ?(\{.*)/.exec(line)?.[1];
      const content: unknown = event && JSON.parse(event).choices?.[0]?.delta?.content;
      if (typeof content === 'string' && content !== '') yield content;
    }
  }
}

function remember(contextId: string, messages: Message[]) {
  conversations.delete(contextId);
  conversations.set(contextId, messages.slice(-MESSAGES_EACH));
  for (const oldest of conversations.keys()) if (conversations.size > CONVERSATIONS) conversations.delete(oldest);
}

const agent = { name: 'Model', description: `Answers with ${OPENAI_MODEL}.`, turn };
const { url } = await serveAgent(agent, { port: Number(process.env['PORT'] ?? 9001) });
process.stdout.write(`Model is ready on ${url}\n`);
