import type { Methods } from './method.ts';

/** Socket Mode's door. */
export function socketMethods(connectUrl: () => string): Methods {
  return {
    'apps.connections.open': { scopes: ['connections:write'], token: 'app', run: () => ({ url: connectUrl() }) },
  };
}
