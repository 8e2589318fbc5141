import { type Asked, card03, cardOf, rpc, task } from './raw-agent.ts';

export const rpc10 = (url: string) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });

/** The same schemes and requirements in the words of both versions. */
export function cards(
  schemes: Readonly<Record<string, Record<string, unknown>>>,
  requirements: readonly Readonly<Record<string, string[]>>[],
) {
  const wrapped = Object.entries(schemes).map(([name, { type, in: location, ...others }]) => {
    const member = {
      apiKey: 'apiKey',
      http: 'httpAuth',
      oauth2: 'oauth2',
      openIdConnect: 'openIdConnect',
      mutualTLS: 'mtls',
    };
    const body = location === undefined ? others : { location, ...others };
    return [name, { [`${member[type as keyof typeof member]}SecurityScheme`]: body }];
  });
  const asked = requirements.map((one) => ({
    schemes: Object.fromEntries(Object.entries(one).map(([name, list]) => [name, { list }])),
  }));
  return {
    '1.0': (url: string) =>
      cardOf([rpc10(url)], { securitySchemes: Object.fromEntries(wrapped), securityRequirements: asked }),
    '0.3': (url: string) => card03(url, { securitySchemes: schemes, security: requirements }),
  };
}

export const yes = (asked: Asked, response: Parameters<typeof rpc>[0]): void =>
  rpc(response, asked, task('COMPLETED', 'yes'));

export const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;
