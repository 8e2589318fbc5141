/**
 * The part of JSON Schema that the kinds use: what a custom resource definition takes as its `openAPIV3Schema`. An
 * object with `properties` has no other keys. `oneOf` stands only for "exactly one of these keys", `anyOf` for "the first
 * of these keys, unless one of the others".
 */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly oneOf?: readonly { readonly required: readonly [string] }[];
  readonly anyOf?: readonly { readonly required: readonly [string] }[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly format?: Format;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** See `formats.ts`. */
export type Format =
  | 'duration'
  | 'http-url'
  | 'header-name'
  | 'header-value'
  | 'resource-name'
  | 'label-name'
  | 'secret-key'
  | 'base64'
  | 'origin'
  | 'host-port'
  | 'host-pattern'
  | 'cidr'
  | 'postgres-url'
  | 'space-id'
  | 'space-or-all'
  | 'line'
  | 'file'
  | 'sha256'
  | 'time';

type Alternatives = { readonly required: readonly [string] }[];

export const exactlyOneOf = (...keys: readonly string[]): Alternatives => keys.map((key) => ({ required: [key] }));

export const requiredUnless = (key: string, other: string): Alternatives => exactlyOneOf(key, other);
