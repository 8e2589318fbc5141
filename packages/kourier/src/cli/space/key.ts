import { ACCESS_LIMITS } from '../../core/access/limits.ts';
import { PRINCIPAL_KINDS, type PrincipalKind, ROLES, type Role } from '../../core/access/principal.ts';
import type { Values } from '../parse.ts';
import { UsageError, writeOneOf } from '../usage-error.ts';

/** What `kourier space key` is to make a key for. */
export interface KeyOptions {
  /** The principal's id. */
  readonly name: string;
  readonly tenant: string;
  readonly kind: PrincipalKind;
  readonly grants: readonly { readonly space: string; readonly role: Role }[];
  /** RFC 3339, in UTC; absent: it does not expire. */
  readonly expiresAt?: string;
}

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const SPACE_ID = /^(\*|[A-Za-z0-9][A-Za-z0-9._-]{0,127})$/;
const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/;

/** Throws `UsageError`. */
export function keyOptions(values: Values): KeyOptions {
  const name = needed(values, 'name', 'NAME');
  if (!NAME.test(name))
    throw new UsageError(`--name ${name} is no name`, 'write small letters, digits and - in at most 63 characters');
  const tenant = needed(values, 'tenant', 'TENANT');
  if (
    tenant.trim() === '' ||
    tenant.length > ACCESS_LIMITS.subjectCharacters ||
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(tenant)
  )
    throw new UsageError('--tenant is no name of a tenant', 'write the tenant of its Spaces, in one line');
  needed(values, 'space-id', 'ID:ROLE');
  const grants = (values.get('space-id') ?? []).map(grantOf);
  const [twice] = grants.filter(({ space }, index) => grants.findIndex((other) => other.space === space) !== index);
  if (twice !== undefined)
    throw new UsageError(
      `--space-id names ${twice.space} twice`,
      'leave one out: each role may do what the lesser may',
    );
  const kind = PRINCIPAL_KINDS.find((known) => known === values.get('kind')?.at(-1)) ?? 'service';
  const expires = values.get('expires')?.at(-1);
  return { name, tenant, kind, grants, ...(expires === undefined ? {} : { expiresAt: timeOf(expires) }) };
}

/** What is configured of a key: all but the key. */
export function apiKeyDocument({ name, tenant, kind, grants, expiresAt }: KeyOptions, sha256: string): object {
  return {
    apiVersion: 'agentkourier.dev/v1alpha1',
    kind: 'ApiKey',
    metadata: { name },
    spec: { tenant, kind, sha256, ...(expiresAt === undefined ? {} : { expiresAt }), grants },
  };
}

function needed(values: Values, name: string, value: string): string {
  const text = values.get(name)?.at(-1);
  if (text !== undefined) return text;
  throw new UsageError(`space key needs --${name}`, `write --${name} ${value}`);
}

function grantOf(text: string): KeyOptions['grants'][number] {
  const [space = '', word, ...more] = text.split(':');
  if (word === undefined || more.length > 0 || !SPACE_ID.test(space))
    throw new UsageError(
      `--space-id ${text} is no Space with a role`,
      'write ID:ROLE, as space-demo:caller, or *:ROLE for all Spaces of the tenant',
    );
  const role = ROLES.find((known) => known === word);
  if (role !== undefined) return { space, role };
  throw new UsageError(`--space-id ${text}: role ${word} is not known`, writeOneOf(word, ROLES));
}

function timeOf(text: string): string {
  const ms = DATE.test(text) ? Date.parse(text) : Number.NaN;
  // A day that no month has would become another one.
  if (Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text.replace('Z', '')))
    return new Date(ms).toISOString().replace('.000Z', 'Z');
  throw new UsageError(`--expires ${text} is no time`, 'write a day, as 2030-01-31, or 2030-01-31T12:00:00Z');
}
