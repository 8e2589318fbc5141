import type { Actor } from '../api/wire.ts';
import { newId, readItem, writeItem } from './storage.ts';

const NAME_CHARACTERS = 80;

/** Of this browser: stands in for the drawer where that is locked. */
const fallbackId = `browser-${newId().slice(0, 12)}`;

export function whoAmI(): Actor {
  const id = readItem('actor.id') ?? fallbackId;
  writeItem('actor.id', id);
  const name = myName();
  return name === '' ? { id } : { id, name };
}

export function myName(): string {
  return (readItem('actor.name') ?? '').trim().slice(0, NAME_CHARACTERS);
}

export function setMyName(name: string): void {
  writeItem('actor.name', name.trim() === '' ? null : name.slice(0, NAME_CHARACTERS));
}
