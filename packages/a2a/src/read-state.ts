import type { Role, TaskState } from './model.ts';

const STATES: ReadonlyMap<string, TaskState> = new Map<string, TaskState>([
  ['submitted', 'submitted'],
  ['working', 'working'],
  ['input-required', 'input-required'],
  ['auth-required', 'auth-required'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
  ['cancelled', 'canceled'],
  ['rejected', 'rejected'],
]);

/** The numbers of the protocol buffer enum: a ProtoJSON reader accepts them too. */
const STATE_NUMBERS: readonly (TaskState | undefined)[] = [
  undefined,
  'submitted',
  'working',
  'completed',
  'failed',
  'canceled',
  'input-required',
  'rejected',
  'auth-required',
];

/** Both versions' spelling, whatever the wire (case C137): `TASK_STATE_INPUT_REQUIRED`, `input-required`, `input_required`. */
export function readState(value: unknown): TaskState {
  if (typeof value === 'number') return STATE_NUMBERS[value] ?? 'unknown';
  if (typeof value !== 'string' || value.length > 64) return 'unknown';
  return STATES.get(value) ?? STATES.get(plain(value, 'task-state-')) ?? 'unknown';
}

export function readRole(value: unknown): Role {
  if (value === 1) return 'user';
  if (value === 2) return 'agent';
  if (typeof value !== 'string' || value.length > 64) return 'unknown';
  const role = plain(value, 'role-');
  return role === 'user' || role === 'agent' ? role : 'unknown';
}

/** An enum value as text, for a report. */
export function enumText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

function plain(value: string, prefix: string): string {
  const word = value.trim().toLowerCase().replaceAll('_', '-');
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}
