import { Ajv2020 } from 'ajv/dist/2020.js';
import { PERMIT_OPERATIONS, type PermitOperation } from '../../core/access/permit.ts';
import { REACHES, type Reach } from '../../core/directory/registered-agent.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';

export interface NewAgent {
  readonly id?: string;
  readonly card?: Readonly<Record<string, unknown>>;
  readonly cardUrl?: string;
  readonly reach?: Reach;
  readonly url?: string;
  readonly dialer?: string;
  readonly credential?: string;
  readonly disabled?: boolean;
}

export interface RouteRequest {
  readonly text?: string;
  readonly skillId?: string;
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

export interface CallRequest {
  readonly agentId: string;
  readonly messageId: string;
  readonly messageSha256: string;
  readonly idempotencyKey?: string;
  readonly expectedVersionId?: string;
}

export interface OperationRequest {
  readonly operation: PermitOperation;
  readonly messageId?: string;
  readonly messageSha256?: string;
}

export type Nothing = Readonly<Record<string, never>>;

/** The bodies that calls take, by the name of their schema. */
export interface SpaceBodies {
  readonly NewAgent: NewAgent;
  readonly RouteRequest: RouteRequest;
  readonly CallRequest: CallRequest;
  readonly OperationRequest: OperationRequest;
  readonly Nothing: Nothing;
}

type Schema = Readonly<Record<string, unknown>>;

const ID = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' } as const;
const KEY = { type: 'string', minLength: 1, maxLength: SPACE_LIMITS.idCharacters } as const;
const HTTP_URL = { type: 'string', maxLength: 2_048, pattern: '^https?://[^\\s#]+$' } as const;
const SHA256 = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const MODES = { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 256 } } as const;

const closed = (
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  more: Schema = {},
): Schema => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
  ...more,
});

export const SPACE_SCHEMAS: Readonly<Record<keyof SpaceBodies, Schema>> = {
  NewAgent: closed(
    [],
    {
      id: { ...ID, description: "The agent's id in the Space; made of the card's name when absent." },
      card: { type: 'object', description: 'The card itself.' },
      cardUrl: { ...HTTP_URL, description: 'Where the card is, and is watched from then on; an agent, or a card.' },
      reach: {
        enum: REACHES,
        description: 'How the gateway gets to it; `public` when absent. `inside` and `vpc` are for operators.',
      },
      url: {
        ...HTTP_URL,
        description: 'Where calls go in place of where the card says: an origin, with a path before it if need be.',
      },
      dialer: ID,
      credential: { ...ID, description: 'A configured credential that calls carry; for operators.' },
      disabled: { type: 'boolean' },
    },
    {
      oneOf: [
        { type: 'object', required: ['card'], properties: { card: {} } },
        { type: 'object', required: ['cardUrl'], properties: { cardUrl: {} } },
      ],
    },
  ),
  RouteRequest: closed([], {
    text: { type: 'string', maxLength: SPACE_LIMITS.routeCharacters },
    skillId: KEY,
    inputModes: MODES,
    outputModes: MODES,
  }),
  CallRequest: closed(['agentId', 'messageId', 'messageSha256'], {
    agentId: ID,
    messageId: KEY,
    messageSha256: {
      ...SHA256,
      description: 'Of the canonical JSON (RFC 8785) of the message without taskId and contextId.',
    },
    idempotencyKey: KEY,
    expectedVersionId: KEY,
  }),
  OperationRequest: closed(['operation'], {
    operation: { enum: PERMIT_OPERATIONS },
    messageId: KEY,
    messageSha256: SHA256,
  }),
  Nothing: closed([], {}),
};

const ajv = new Ajv2020({ strict: true });

/** Compiled when the module loads: a schema that is wrong stops the start, not the first caller. */
const VALIDATORS = new Map(Object.entries(SPACE_SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]));

export interface BodyFault {
  /** A JSON pointer into the body. */
  readonly at: string;
  readonly problem: string;
}

/** What is wrong with a body; empty when it fits. Names places and rules, never values. */
export function bodyFaults(schema: keyof SpaceBodies, body: unknown): readonly BodyFault[] {
  const validate = VALIDATORS.get(schema);
  if (validate === undefined || validate(body)) return [];
  return (validate.errors ?? []).slice(0, 10).map(({ instancePath, message = 'does not fit', keyword, params }) => ({
    at: instancePath.slice(0, 200),
    problem:
      keyword === 'additionalProperties'
        ? `has a member that is not known: ${JSON.stringify(String(params['additionalProperty']).slice(0, 100))}`
        : message,
  }));
}
