import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Fault } from '../problem.ts';
import { ANSWER_SCHEMAS } from './answers.ts';
import { type Bodies, REQUEST_SCHEMAS } from './requests.ts';
import type { Schema } from './schema.ts';

/** The one source of what goes in and out: the checks below and the OpenAPI document are made of it. */
export const SCHEMAS: Readonly<Record<string, Schema>> = { ...REQUEST_SCHEMAS, ...ANSWER_SCHEMAS };

const FAULTS = 10;

const ajv = new Ajv2020({ strict: true });
for (const annotation of ['components', 'discriminator']) ajv.addKeyword(annotation);
ajv.addSchema({ $id: 'kourier', components: { schemas: SCHEMAS } });

/** Compiled when the module loads: a schema that is wrong stops the start, not the first caller. */
const validators = new Map(
  Object.keys(SCHEMAS).map((name) => {
    const validate = ajv.getSchema(`kourier#/components/schemas/${name}`);
    if (validate === undefined) throw new Error(`no schema ${name}`);
    return [name, validate];
  }),
);

/** What is wrong with a body; empty when it fits. */
export function faultsOf(schema: keyof Bodies, body: unknown): readonly Fault[] {
  const validate = validators.get(schema);
  if (validate === undefined) throw new Error(`no schema ${schema}`);
  return validate(body) ? [] : (validate.errors ?? []).slice(0, FAULTS).map(fault);
}

/** Names the place and the rule, never the value: it may be a secret, and it may be long. */
function fault({ instancePath, keyword, message = 'does not fit', params }: ErrorObject): Fault {
  const at = instancePath.slice(0, 200);
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']).slice(0, 100);
    return { at, problem: `has a member that is not known: ${JSON.stringify(name)}` };
  }
  if (keyword === 'pattern') return { at, problem: 'holds a character that is not allowed here, or is blank' };
  if (keyword === 'oneOf') return { at, problem: 'must have one of its forms, and no more than one' };
  return { at, problem: message };
}
