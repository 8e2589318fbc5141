import { hash } from 'node:crypto';
import type { MessageKey } from '../task-store.ts';

/**
 * Ids that callers make up are looked up by their digests: they may be long, and hold what a column of text or an index
 * does not take.
 */
const digest = (parts: readonly (string | null)[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

export const ownerKey = (owner: string): string => digest([owner]);

export const contextKey = (owner: string, contextId: string): string => digest([owner, contextId]);

export const messageKey = (owner: string, { messageId, contextId }: MessageKey): string =>
  digest([owner, contextId ?? null, messageId]);

export const webhookKey = (id: string): string => digest([id]);

export const artifactKey = (artifactId: string): string => digest([artifactId]);
