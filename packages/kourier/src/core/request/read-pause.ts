import type { AgentMessage, Status } from '../reply/agent-event.ts';
import type { TaskId } from '../thread/ids.ts';
import { questionText } from './exact.ts';
import { type Dialect, type PauseRead, unusable } from './pause.ts';
import { readStructured } from './read-structured.ts';

/** kagent's human-in-the-loop extension: the one way in which approvals and structured questions are spoken (rule Q4). */
export const HITL_URI = 'https://kagent.dev/extensions/hitl/v1';

/** Reads what a paused task asks for (rules Q2 to Q7). */
export function readPause(status: Status, taskId: TaskId | undefined, dialect: Dialect): PauseRead {
  if (status.state !== 'input-required') return unusable(status.state);
  if (taskId === undefined) return unusable('a pause of no task');
  const { message } = status;
  if (!message) return unusable('no message');
  const payload = message.metadata?.[HITL_URI];
  const isStructured = payload !== undefined && (dialect === 'kagent-v1' || message.extensions.includes(HITL_URI));
  if (isStructured) return readStructured(payload, taskId);
  return dialect === 'a2a' ? readTextQuestion(status, message, taskId) : unusable('no payload');
}

/** All parts are text and not blank together; the name is the message's id, or else the time of its status (rule Q3). */
function readTextQuestion({ timestamp }: Status, { messageId, parts }: AgentMessage, taskId: TaskId): PauseRead {
  let text = '';
  for (const part of parts) {
    if (part.kind !== 'text') return unusable('a part that is not text');
    if (!part.thought) text += part.text;
  }
  const name = messageId ?? timestamp;
  if (name === undefined) return unusable('a question without a name');
  const question = questionText(text);
  if (question === undefined) return unusable('a question that cannot be shown');
  return {
    kind: 'pause',
    pause: {
      name: JSON.stringify([taskId, name]),
      says: question,
      type: 'text',
      heading: 'The agent needs your input',
      questions: [{ question, choices: [], multiple: false }],
      tools: [],
    },
  };
}
