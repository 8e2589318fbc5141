import { idOf, isObject, type JsonObject, type Loose, textsOf } from './json-value.ts';
import type { Message } from './model.ts';
import { readParts } from './read-part.ts';
import { enumText, readRole } from './read-state.ts';

/** A message of either version, or `undefined` for what is no object. */
export function readMessage(value: unknown): Message | undefined {
  return isObject(value) ? messageOf(value) : undefined;
}

export function messageOf(source: JsonObject): Message {
  const message: Loose<
    | 'messageId'
    | 'message_id'
    | 'role'
    | 'contextId'
    | 'context_id'
    | 'taskId'
    | 'task_id'
    | 'parts'
    | 'extensions'
    | 'metadata'
  > = source;
  return {
    messageId: idOf(message.messageId ?? message.message_id),
    role: readRole(message.role),
    roleText: enumText(message.role),
    contextId: idOf(message.contextId ?? message.context_id),
    taskId: idOf(message.taskId ?? message.task_id),
    parts: readParts(message.parts),
    extensions: textsOf(message.extensions),
    metadata: isObject(message.metadata) ? message.metadata : undefined,
    source,
  };
}
