import { AGENT_BACKEND } from './agent-backend.ts';
import { BINDING } from './binding.ts';
import { CHAT_PLATFORM } from './chat-platform.ts';
import { METADATA } from './metadata.ts';
import type { Schema } from './schema.ts';
import { SECRET } from './secret.ts';
import { SETTINGS } from './settings.ts';

export type Kind = 'AgentBackend' | 'Binding' | 'ChatPlatform' | 'Settings' | 'Secret';

const API = 'agentkourier.dev/v1alpha1';

/** Each kind: the `apiVersion` it is written with, and the schema of the whole document. */
export const KINDS: Readonly<Record<Kind, { readonly apiVersion: string; readonly schema: Schema }>> = {
  AgentBackend: { apiVersion: API, schema: resource(AGENT_BACKEND) },
  Binding: { apiVersion: API, schema: resource(BINDING) },
  ChatPlatform: { apiVersion: API, schema: resource(CHAT_PLATFORM) },
  Settings: { apiVersion: API, schema: resource(SETTINGS) },
  Secret: { apiVersion: 'v1', schema: document(SECRET.properties ?? {}, []) },
};

export const isKind = (word: string): word is Kind => Object.hasOwn(KINDS, word);

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
