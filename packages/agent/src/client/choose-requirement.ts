import type { Security, SecurityRequirement, SecurityScheme } from '@agentkourier/a2a/read-security';
import { CredentialsError } from './client-error.ts';
import type { Credential, Credentials } from './credential.ts';

/** A scheme with what satisfies it. */
export interface Satisfied {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly credential: Credential;
  readonly scopes: readonly string[];
}

/**
 * What a call has to present: of the agent's requirements the first that the credentials satisfy, and of the skill's too
 * (rule C4: each list is an OR of ANDs). Throws a CredentialsError that names what would do.
 */
export function chooseRequirement(
  security: Security,
  credentials: Credentials,
  skillId?: string,
): readonly Satisfied[] {
  const own = skillId === undefined ? undefined : security.skills.get(skillId);
  const chosen = new Map<string, Satisfied>();
  for (const requirements of [security.requirements, own ?? []]) {
    if (requirements.length === 0) continue;
    const satisfied = requirements.map((one) => satisfy(one, security, credentials)).find((one) => one !== undefined);
    if (satisfied === undefined) {
      const whose = requirements === own ? `The skill ${JSON.stringify(skillId)}` : 'The agent';
      throw new CredentialsError(`${whose} wants credentials that were not given: ${wanted(requirements, security)}.`);
    }
    for (const one of satisfied) {
      const known = chosen.get(one.name);
      chosen.set(one.name, { ...one, scopes: [...new Set([...(known?.scopes ?? []), ...one.scopes])] });
    }
  }
  return [...chosen.values()];
}

function satisfy(
  requirement: SecurityRequirement,
  { schemes }: Security,
  credentials: Credentials,
): readonly Satisfied[] | undefined {
  const satisfied: Satisfied[] = [];
  for (const [name, scopes] of requirement) {
    const scheme = schemes.get(name);
    const credential = Object.hasOwn(credentials, name) ? credentials[name] : undefined;
    if (scheme === undefined || credential === undefined || !fits(scheme, credential)) return undefined;
    satisfied.push({ name, scheme, credential, scopes });
  }
  return satisfied;
}

function fits(scheme: SecurityScheme, credential: Credential): boolean {
  switch (scheme.kind) {
    case 'apiKey':
      return 'apiKey' in credential;
    case 'http':
      return scheme.scheme === 'basic' ? 'username' in credential : scheme.scheme === 'bearer' && 'token' in credential;
    case 'oauth2':
      return (
        'token' in credential || ('clientId' in credential && (credential.tokenUrl ?? scheme.tokenUrl) !== undefined)
      );
    case 'openIdConnect':
      return 'token' in credential || 'clientId' in credential;
    case 'mutualTLS':
      return 'certificate' in credential;
    case 'unknown':
      return false;
  }
}

/** "`key` (apiKey) and `login` (oauth2), or `cert` (mutualTLS)". */
function wanted(requirements: readonly SecurityRequirement[], { schemes }: Security): string {
  const each = requirements.slice(0, 10).map((requirement) =>
    [...requirement.keys()]
      .slice(0, 10)
      .map((name) => `${JSON.stringify(name.slice(0, 80))} (${described(schemes.get(name))})`)
      .join(' and '),
  );
  return each.join(', or ');
}

function described(scheme: SecurityScheme | undefined): string {
  switch (scheme?.kind) {
    case undefined:
      return 'which the card does not declare';
    case 'apiKey':
      return `apiKey in ${scheme.in}: give { apiKey }`;
    case 'http':
      return scheme.scheme === 'basic'
        ? 'http Basic: give { username, password }'
        : `http ${scheme.scheme}: give { token }`;
    case 'oauth2':
      return scheme.tokenUrl === undefined
        ? `oauth2 ${scheme.flows.join(', ')}: give { token }`
        : 'oauth2: give { token } or { clientId, clientSecret }';
    case 'openIdConnect':
      return 'openIdConnect: give { token } or { clientId, clientSecret }';
    case 'mutualTLS':
      return "mutualTLS: give a fetch that presents the certificate, and { certificate: 'presented-by-fetch' }";
    case 'unknown':
      return 'of a kind that is not known';
  }
}
