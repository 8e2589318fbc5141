/**
 * Ids are opaque outside the adapter that made them. The brand keeps one kind from standing where another belongs.
 */
declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type ThreadId = Id<'thread'>;
export type TurnId = Id<'turn'>;
export type EntryId = Id<'entry'>;
/** A2A's `messageId` of what is sent: fixed for each chat message (rule S2). */
export type MessageId = Id<'message'>;
/** The agent's task id. */
export type TaskId = Id<'task'>;
/** The agent's context id. */
export type ContextId = Id<'context'>;
/** One agent of a Space, as `Agents` named it when it was chosen. */
export type AgentId = Id<'agent'>;
