import { readJson, writeItem } from './storage.ts';

export interface RecentThread {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

const KEPT = 50;
const TITLE_CHARACTERS = 80;

function isList(value: unknown): value is RecentThread[] {
  return Array.isArray(value) && value.every((item) => typeof item?.id === 'string' && typeof item?.title === 'string');
}

/** The threads that this browser has seen, the newest first. */
export function recentThreads(): readonly RecentThread[] {
  return readJson('recent', isList) ?? [];
}

/** Puts a thread on top, once. Its title is its first words. */
export function remember(id: string, firstText: string): readonly RecentThread[] {
  const title = firstText.trim().replace(/\s+/g, ' ').slice(0, TITLE_CHARACTERS) || 'Untitled thread';
  const list = recentThreads();
  if (list.some((thread) => thread.id === id && thread.title === title)) return list;
  return save([{ id, title, atMs: Date.now() }, ...list.filter((thread) => thread.id !== id)].slice(0, KEPT));
}

export function forget(id: string): readonly RecentThread[] {
  return save(recentThreads().filter((thread) => thread.id !== id));
}

function save(list: readonly RecentThread[]): readonly RecentThread[] {
  writeItem('recent', JSON.stringify(list));
  return list;
}
