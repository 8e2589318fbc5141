import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { Values } from '../parse.ts';
import { UsageError } from '../usage-error.ts';
import { SPACE_QUESTIONS, type SpaceAction } from './space-questions.ts';

/** The environment of the command line, as far as it names a Space. */
export interface SpaceEnvironment {
  readonly KOURIER_SPACE_URL?: string | undefined;
  /** One id, or a JSON array with one. */
  readonly KOURIER_SPACE_ID?: string | undefined;
  readonly KOURIER_SPACE_KEY?: string | undefined;
}

interface SpacePlace {
  readonly url: string;
  readonly spaceId: string;
  readonly key?: string;
  /** A file with the key, absent where the environment has it. */
  readonly keyFile?: string;
  readonly json: boolean;
}

/** What `kourier a2a discover|call|status|cancel` is to do. */
export type SpaceOptions = SpacePlace &
  (
    | {
        readonly action: 'discover';
        readonly text?: string;
        readonly skill?: string;
        readonly blocked: boolean;
        readonly limit?: number;
      }
    | {
        readonly action: 'call';
        readonly agentId: string;
        readonly message: string;
        readonly skill?: string;
        readonly taskId?: string;
        readonly idempotencyKey?: string;
        readonly wait: boolean;
      }
    | { readonly action: 'status' | 'cancel'; readonly taskId: string }
  );

/** Where `kourier space serve` listens unless it is told otherwise. */
const DEFAULT_URL = 'http://127.0.0.1:8090';

export const isSpaceAction = (word: string): word is SpaceAction => SPACE_QUESTIONS.some((action) => action === word);

/** Throws `UsageError`. A Space that is not named is never made up, nor is an agent's own address taken instead (rule A3). */
export function spaceOptions(
  [word = '', first, second]: readonly string[],
  values: Values,
  environment: SpaceEnvironment,
): SpaceOptions {
  const action = SPACE_QUESTIONS.find((known) => known === word) ?? 'discover';
  const operands = [first, second].filter((operand) => operand !== undefined);
  const wanted = action === 'discover' ? [] : action === 'call' ? ['AGENT', 'MESSAGE'] : ['TASK'];
  if (operands.length > wanted.length) {
    throw new UsageError(`a2a ${action} takes no ${operands[wanted.length]}`, 'see kourier help a2a');
  }
  const missing = wanted.find((_, index) => operands[index]?.trim() === '' || operands[index] === undefined);
  if (missing !== undefined)
    throw new UsageError(`a2a ${action} needs ${missing}`, `write kourier a2a ${action} ${wanted.join(' ')}`);
  const place = placeOf(values, environment);
  const text = (name: string) => values.get(name)?.at(-1);
  const given = (name: string, key = name) => (text(name) === undefined ? {} : { [key]: text(name) });
  switch (action) {
    case 'discover': {
      const limit = text('limit');
      if (limit !== undefined && !/^[1-9]\d{0,5}$/.test(limit))
        throw new UsageError(`--limit ${limit} is no number`, 'write how many agents at most');
      return {
        action,
        ...place,
        ...given('text'),
        ...given('skill'),
        blocked: values.has('blocked'),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
      };
    }
    case 'call':
      if (values.has('task') && values.has('idempotency-key'))
        throw new UsageError('--idempotency-key is for a new task', 'leave it out, or --task');
      return {
        ...{ action, ...place, agentId: first ?? '', message: second ?? '', wait: !values.has('no-wait') },
        ...{ ...given('skill'), ...given('task', 'taskId'), ...given('idempotency-key', 'idempotencyKey') },
      };
    default:
      return { action, ...place, taskId: first ?? '' };
  }
}

function placeOf(values: Values, environment: SpaceEnvironment): SpacePlace {
  const text = (name: string) => values.get(name)?.at(-1);
  const url = text('space') ?? (environment.KOURIER_SPACE_URL || DEFAULT_URL);
  const spaceId = text('space-id') ?? onlyId(environment.KOURIER_SPACE_ID ?? '');
  if (spaceId === '') {
    throw new UsageError('no Space is configured', 'write --space-id ID, or set KOURIER_SPACE_ID');
  }
  if (!/^[A-Za-z0-9][\w.-]{0,127}$/.test(spaceId)) {
    throw new UsageError(
      `--space-id ${spaceId} is no id of a Space`,
      'write letters, digits, dots, dashes and underscores',
    );
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || /[?#\s]/.test(url)) {
    throw new UsageError(`--space ${url} is no address of a Space`, 'write https://HOST');
  }
  const keyFile = text('key-file');
  // A secret that is mounted as a file or a variable often ends in a line end.
  const key = environment.KOURIER_SPACE_KEY?.trim() ?? '';
  if (keyFile === undefined && key !== '' && !isKey(key))
    throw new UsageError('KOURIER_SPACE_KEY holds no key', 'set it to the key, and nothing else');
  return {
    ...{ url: withoutEndSlashes(url), spaceId, json: values.has('json') },
    ...(keyFile === undefined ? {} : { keyFile }),
    ...(keyFile !== undefined || key === '' ? {} : { key }),
  };
}

/** An API key or a token, as it can stand in a header. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]{1,8192}$/.test(text);

/** Of several Spaces none is chosen by itself. */
function onlyId(text: string): string {
  if (!text.trim().startsWith('[')) return text.trim();
  let ids: unknown;
  try {
    ids = JSON.parse(text);
  } catch {
    ids = undefined;
  }
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string')) {
    throw new UsageError('KOURIER_SPACE_ID is no list of ids', 'write one id, or a JSON array of them');
  }
  if (ids.length > 1) throw new UsageError('KOURIER_SPACE_ID names several Spaces', 'choose one with --space-id ID');
  return String(ids[0]);
}
