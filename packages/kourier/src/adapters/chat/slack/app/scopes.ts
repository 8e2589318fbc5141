export interface Scope {
  /** What the app can do with it, after "to". */
  readonly to: string;
  /** Without it nothing is answered: in channels, or in direct messages. Else something is missing. */
  readonly needed?: 'channels' | 'direct-messages' | 'both';
}

/** Every bot scope that the app asks for, and what for. The manifest and `kourier doctor` are made from this. */
export const SCOPES: Readonly<Record<string, Scope>> = {
  'app_mentions:read': { to: 'hear that somebody mentions it', needed: 'channels' },
  'assistant:write': { to: 'say in a thread that it is at work' },
  'channels:history': { to: 'read threads of public channels that it is in', needed: 'channels' },
  'channels:read': { to: 'know public channels' },
  'chat:write': { to: 'answer', needed: 'both' },
  'groups:history': { to: 'read threads of private channels that it is in' },
  'groups:read': { to: 'know private channels' },
  'im:history': { to: 'read direct messages to it', needed: 'direct-messages' },
  'im:read': { to: 'find direct messages that were written while it was not there' },
  'im:write': { to: 'open a direct message' },
  'mpim:history': { to: 'read group messages that it is in' },
  'mpim:read': { to: 'know group messages' },
  'reactions:write': { to: 'mark a message as taken' },
  'users:read': { to: 'tell the agent the name of who writes' },
  'users:read.email': { to: 'tell the agent the e-mail address of who writes' },
};
