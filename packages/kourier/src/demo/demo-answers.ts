/** What the demo agent says. All of it is written here: there is no model behind it. */
export const GREETING = `Hello! I am the **demo agent**. There is no model behind me: every word was written beforehand. I am here so that you can watch a turn being carried, in small pieces, with tool calls, and with trouble when you ask for it.

First a look at the weather, which I make up as well.

`;

export const WHAT_NEXT = `Things you can write to me:

- \`weather in Oslo\` calls one tool and tells you what it returned
- \`note buy bread\` calls the other, and I count the notes of this thread
- \`be slow\` gives you time to press Stop, or to reload the page in the middle of an answer
- \`fail\` begins an answer and then breaks off
- \`stay silent\` ends without a word
- \`help\` shows this list

When you have an agent of your own, bind it with a file such as this:

\`\`\`yaml
apiVersion: agentkourier.dev/v1alpha1
kind: AgentBackend
metadata: { name: mine }
spec: { dialect: a2a, url: "http://127.0.0.1:9001" }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Binding
metadata: { name: mine }
spec: { backend: mine, identity: { userId: me }, chat: { platform: web } }
\`\`\`

and start again with \`npx kourier up --config mine.yaml\`.
`;

export const SLOW = `You asked me to be slow, so each word takes a second. Press Stop when you have seen enough. You may also reload this page in the middle of a sentence: the thread keeps what was said, and the rest goes on arriving.
`;

export const ABOUT_TO_FAIL = 'This answer begins well enough, but you asked me to fail, so it breaks off right';

/** Weather that is the same for the same place, and always invented. */
export function inventedWeather(place: string): { place: string; sky: string; celsius: number; source: string } {
  let sum = 0;
  for (const character of place.toLowerCase()) sum += character.codePointAt(0) ?? 0;
  const skies = ['clear', 'a few clouds', 'overcast', 'light rain', 'fog'] as const;
  return { place, sky: skies[sum % skies.length] ?? 'clear', celsius: 5 + (sum % 20), source: 'made up' };
}
