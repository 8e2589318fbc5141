import { arrayOf, isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { HITL_EXTENSION } from '../agent/agent-card.ts';
import type { Question } from '../agent/interrupts.ts';
import { invalidParams } from '../rpc-error.ts';
import type { Json } from '../task/task-record.ts';
import type { WireMessage } from '../task/wire.ts';
import type { AskForm } from './ask-message.ts';

const YES = new Set(['approve', 'approved', 'yes', 'y', 'ok']);
const NO = new Set(['reject', 'rejected', 'deny', 'denied', 'no', 'n']);

/**
 * What a turn gets for the question that it asked. Throws an RpcError -32602 that says what would be an answer: the
 * question stays open (contract rules Q8 to Q11).
 */
export function readAnswer(form: AskForm, message: WireMessage, text: string): Json {
  const payload = payloadOf(message);
  switch (form.kind) {
    case 'text':
      requireText(message);
      return text;
    case 'auth':
      return text;
    case 'approval':
      return payload === undefined ? decisionsOfText(form.tools.length, text) : decisionsOf(form.tools, payload);
    case 'questions':
      return payload === undefined ? answersOfText(form.questions, text) : answersOf(form.questions, payload);
  }
}

/** A turn that asks for a text sees a text: a picture would be an empty answer to it. */
function requireText(message: WireMessage): void {
  const parts = arrayOf(message['parts']).filter(isObject);
  if (!parts.every(({ text }: { text?: unknown }) => typeof text === 'string')) {
    throw invalidParams('The task waits for an answer in text alone.');
  }
}

function payloadOf(message: WireMessage): JsonObject | undefined {
  const metadata = message['metadata'];
  const payload = isObject(metadata) ? metadata[HITL_EXTENSION] : undefined;
  return isObject(payload) ? payload : undefined;
}

function decisionsOfText(count: number, text: string): Json {
  const word = text.trim().toLowerCase();
  if (!YES.has(word) && !NO.has(word))
    throw invalidParams('The task waits for a decision: answer "approve" or "reject".');
  return Array.from({ length: count }, () => ({ approved: YES.has(word) }));
}

function decisionsOf(tools: Extract<AskForm, { kind: 'approval' }>['tools'], payload: JsonObject): Json {
  const { type, approvals } = payload as { type?: unknown; approvals?: unknown };
  if (type !== 'tool_approval_response' || !Array.isArray(approvals)) {
    throw invalidParams('The task waits for a tool_approval_response with approvals.');
  }
  const entries = approvals.filter(isObject);
  if (entries.length !== approvals.length || entries.length !== tools.length) {
    throw invalidParams(`approvals must hold one decision for each of ${tools.length} tools.`);
  }
  return tools.map(({ id }) => {
    const decided = entries.filter((entry) => entry['id'] === id);
    const approved = decided[0]?.['approved'];
    if (decided.length !== 1 || typeof approved !== 'boolean') {
      throw invalidParams(`approvals must decide the tool ${JSON.stringify(id)} once, as true or false.`);
    }
    const reason = decided[0]?.['rejection_reason'];
    return { approved, ...(typeof reason === 'string' && !approved ? { reason } : {}) };
  });
}

/** One question is answered by its words, several by one line each. */
function answersOfText(questions: readonly Question[], text: string): Json {
  const lines =
    questions.length === 1
      ? [text.trim()]
      : text
          .trim()
          .split('\n')
          .map((line) => line.trim());
  if (lines.length !== questions.length)
    throw invalidParams(`Answer ${questions.length} questions with one line each.`);
  return questions.map((question, index) => {
    const line = lines[index] ?? '';
    const choices = question.choices ?? [];
    const isOne = choices.length === 0 || !question.multiple || choices.includes(line);
    return checked(question, isOne ? [line] : line.split(',').map((choice) => choice.trim()));
  });
}

function answersOf(questions: readonly Question[], payload: JsonObject): Json {
  const { type, answers } = payload as { type?: unknown; answers?: unknown };
  if (type !== 'ask_user_response' || !Array.isArray(answers) || answers.length !== questions.length) {
    throw invalidParams(`The task waits for an ask_user_response with ${questions.length} answers.`);
  }
  return questions.map((question, index) => {
    const entry: unknown = answers[index];
    const answer = isObject(entry) ? entry['answer'] : undefined;
    if (!Array.isArray(answer) || !answer.every((each) => typeof each === 'string')) {
      throw invalidParams(`answers[${index}].answer must be a list of strings.`);
    }
    return checked(question, answer);
  });
}

function checked({ question, choices = [], multiple = false }: Question, answer: readonly string[]): readonly string[] {
  const about = JSON.stringify(question);
  if (answer.length === 0 || answer.some((each) => each === ''))
    throw invalidParams(`The question ${about} has no answer.`);
  if (choices.length > 0 && !multiple && answer.length > 1)
    throw invalidParams(`The question ${about} takes one choice.`);
  if (choices.length > 0 && !answer.every((each) => choices.includes(each))) {
    throw invalidParams(`The question ${about} takes one of its choices: ${choices.join(', ')}.`);
  }
  return answer;
}
