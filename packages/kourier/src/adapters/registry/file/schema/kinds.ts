import { AGENT_BACKEND } from './agent-backend.ts';
import { API_KEY } from './api-key.ts';
import { BINDING } from './binding.ts';
import { CHAT_PLATFORM } from './chat-platform.ts';
import { CREDENTIAL } from './credential.ts';
import { DIALER } from './dialer.ts';
import { GATEWAY } from './gateway.ts';
import { IDENTITY_PROVIDER } from './identity-provider.ts';
import { METADATA } from './metadata.ts';
import type { Schema } from './schema.ts';
import { SECRET } from './secret.ts';
import { SETTINGS } from './settings.ts';
import { SPACE } from './space.ts';
import { SPACE_AGENT } from './space-agent.ts';
import { SPACE_CONNECTION } from './space-connection.ts';

/** What reads a configuration, as it is called. Each has kinds of its own. */
export type Command = 'kourier up' | 'kourier space serve';

export type Kind =
  | 'AgentBackend'
  | 'SpaceConnection'
  | 'Binding'
  | 'ChatPlatform'
  | 'Settings'
  | 'Gateway'
  | 'Space'
  | 'SpaceAgent'
  | 'Credential'
  | 'Dialer'
  | 'ApiKey'
  | 'IdentityProvider'
  | 'Secret';

export interface KindRule {
  /** What it is written with. */
  readonly apiVersion: string;
  /** Of the whole document. */
  readonly schema: Schema;
  readonly readBy: readonly Command[];
  /** `one`: a single document for all. `repeats`: several may have one name. Else each has its own. */
  readonly named?: 'one' | 'repeats';
}

const API = 'agentkourier.dev/v1alpha1';
const UP = ['kourier up'] as const;
const SERVE = ['kourier space serve'] as const;

export const KINDS: Readonly<Record<Kind, KindRule>> = {
  AgentBackend: { apiVersion: API, schema: resource(AGENT_BACKEND), readBy: UP },
  SpaceConnection: { apiVersion: API, schema: resource(SPACE_CONNECTION), readBy: UP },
  Binding: { apiVersion: API, schema: resource(BINDING), readBy: UP },
  ChatPlatform: { apiVersion: API, schema: resource(CHAT_PLATFORM), readBy: UP },
  Settings: { apiVersion: API, schema: resource(SETTINGS), readBy: UP, named: 'one' },
  Gateway: { apiVersion: API, schema: resource(GATEWAY), readBy: SERVE, named: 'one' },
  Space: { apiVersion: API, schema: resource(SPACE), readBy: SERVE },
  SpaceAgent: { apiVersion: API, schema: resource(SPACE_AGENT), readBy: SERVE },
  Credential: { apiVersion: API, schema: resource(CREDENTIAL), readBy: SERVE },
  Dialer: { apiVersion: API, schema: resource(DIALER), readBy: SERVE },
  // Two keys of one name are one caller, while the second takes over from the first.
  ApiKey: { apiVersion: API, schema: resource(API_KEY), readBy: SERVE, named: 'repeats' },
  IdentityProvider: { apiVersion: API, schema: resource(IDENTITY_PROVIDER), readBy: SERVE },
  Secret: { apiVersion: 'v1', schema: document(SECRET.properties ?? {}, []), readBy: [...UP, ...SERVE] },
};

export const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);

export function kindsOf(command: Command): readonly Kind[] {
  return Object.keys(KINDS).filter((kind): kind is Kind => isKind(kind) && KINDS[kind].readBy.includes(command));
}

function resource(spec: Schema): Schema {
  return document({ spec }, ['spec']);
}

function document(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return {
    type: 'object',
    required: ['metadata', ...required],
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: METADATA, ...properties },
  };
}
