import { LIMITS } from '../limits.ts';
import { redact } from '../shown/redact.ts';
import type { Question, RequestedTool } from '../thread/entry.ts';
import type { TaskId } from '../thread/ids.ts';
import { isExactName, isExactText, isExactValue, questionText } from './exact.ts';
import { heading } from './heading.ts';
import { type Pause, type PauseRead, unusable } from './pause.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads a payload of the human-in-the-loop extension. One broken rule makes all of it unusable: never half a prompt. */
export function readStructured(payload: unknown, taskId: TaskId): PauseRead {
  if (!isJson(payload)) return unusable('a payload that is no object');
  const { type } = payload;
  if (type === 'tool_approval_request') return readApproval(payload, taskId);
  return type === 'ask_user_request' ? readQuestions(payload, taskId) : unusable('a payload of another type');
}

/**
 * 1 to 20 tools, each with an id of its own; a nested request has one outer tool, of which only the id counts, and
 * decides the nested ones (rules Q5, Q6).
 */
function readApproval(payload: Json, taskId: TaskId): PauseRead {
  const nested = readNested(payload['nested'], readTools);
  const outer = nested ? readList(payload['tools'], 1, readId) : [];
  if (nested === 'broken' || !outer) return unusable('a nested approval out of form');
  const tools = nested ?? readTools(payload['tools']);
  if (!tools) return unusable('tools that cannot be shown exactly');
  return asPause(taskId, [...outer, ...tools.map(({ id }) => id)], {
    type: 'tool-approval',
    heading: heading(payload['hint'], 'The agent needs your approval'),
    questions: [],
    tools,
  });
}

/** An id, and 1 to 20 questions; a nested one echoes the id of its only nested tool, `ask_user` (rules Q5, Q6). */
function readQuestions(payload: Json, taskId: TaskId): PauseRead {
  const { id } = payload;
  if (!isId(id)) return unusable('questions without an id');
  const questions = readList(payload['questions'], LIMITS.requestQuestions, readQuestion);
  if (!questions) return unusable('questions that cannot be shown');
  const nested = readNested(payload['nested'], (tools) => readList(tools, 1, readAskUser));
  if (nested === 'broken') return unusable('a nested question out of form');
  return asPause(taskId, [id, ...(nested ?? [])], {
    type: 'questions',
    heading: heading(payload['hint'], 'The agent needs your input'),
    questions,
    tools: [],
    echo: nested?.[0] ?? id,
  });
}

/** What it says is what is shown: a secret in it is none of ours to keep. */
function asPause(taskId: TaskId, ids: readonly string[], rest: Omit<Pause, 'name' | 'says'>): PauseRead {
  const says = JSON.stringify([rest.questions, rest.tools]);
  if (says.length > LIMITS.promptCharacters) return unusable('a prompt that does not fit');
  return { kind: 'pause', pause: { ...rest, name: JSON.stringify([taskId, ...ids]), says } };
}

/** A sub-agent's own request, with its name and task (rule Q6). */
function readNested<Tool>(
  nested: unknown,
  read: (tools: unknown) => readonly Tool[] | undefined,
): readonly Tool[] | 'broken' | undefined {
  if (nested === undefined || nested === null) return undefined;
  if (!isJson(nested) || !isId(nested['subagent_name']) || !isId(nested['task_id'])) return 'broken';
  return read(nested['tools']) ?? 'broken';
}

const readAskUser = (value: unknown): string | undefined =>
  isJson(value) && value['name'] === 'ask_user' ? readId(value) : undefined;

const readId = (value: unknown): string | undefined => (isJson(value) && isId(value['id']) ? value['id'] : undefined);

function readTools(value: unknown): readonly RequestedTool[] | undefined {
  const tools = readList(value, LIMITS.requestTools, readTool);
  return tools && new Set(tools.map(({ id }) => id)).size === tools.length ? tools : undefined;
}

function readTool(value: unknown): RequestedTool | undefined {
  if (!isJson(value)) return undefined;
  const { id, name, args, call_id: callId } = value;
  if (!isId(id) || typeof name !== 'string' || !isExactName(name) || !isExactValue(args)) return undefined;
  return { id, ...(isId(callId) ? { callId } : {}), name, ...(args === undefined ? {} : { args: redact(args) }) };
}

function readQuestion(value: unknown): Question | undefined {
  if (!isJson(value)) return undefined;
  const { question, choices, multiple } = value;
  const shown = typeof question === 'string' ? questionText(question) : undefined;
  const read = choices === undefined || choices === null ? [] : readChoices(choices);
  if (shown === undefined || !read) return undefined;
  return { question: shown, choices: read, multiple: multiple === true };
}

function readChoices(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > LIMITS.requestChoices) return undefined;
  const choices = value.filter((choice) => typeof choice === 'string' && choice.trim() !== '' && isExactText(choice));
  return choices.length === value.length && new Set(choices).size === value.length ? choices : undefined;
}

function readList<Item>(
  value: unknown,
  most: number,
  read: (item: unknown) => Item | undefined,
): readonly Item[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) return undefined;
  const items = value.map(read).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.idCharacters;
