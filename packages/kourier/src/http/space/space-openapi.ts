import { SPACE_OPERATIONS } from '../../core/access/decide-access.ts';
import type { SpaceRoute } from './space-route.ts';
import { SPACE_SCHEMAS } from './space-schemas.ts';

/** The OpenAPI 3.1 document of the Space's interface. The calls of agents are A2A's, and not in it. */
export function spaceDocument(routes: readonly SpaceRoute[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/api/v1/spaces/{space}${route.path.replace(/:(\w+)/g, '{$1}')}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Kourier Space',
      version: 'v1',
      description:
        'A directory of agents and the gateway to them. A Space, an agent or a task that is not for the caller answers like one that is not there.',
    },
    security: [{ bearer: [] }],
    paths: { '/api/v1/spaces': { get: SPACES }, ...paths },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, schemas: SPACE_SCHEMAS },
  };
}

const PROBLEM = {
  description: 'What is wrong, with a stable code (RFC 9457)',
  content: { 'application/problem+json': { schema: { type: 'object', required: ['code', 'detail'] } } },
};

const SPACES = {
  summary: 'The Spaces that the caller may see',
  responses: { 200: { description: 'Each with the role of the caller' }, default: PROBLEM },
};

function operationOf({ path, method, operation, summary, query = {}, body }: SpaceRoute): object {
  const inPath = ['space', ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => name)];
  return {
    summary,
    description: `For a ${SPACE_OPERATIONS[operation]} of the Space, or more.`,
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, description]) => ({
        name,
        in: 'query',
        description,
        schema: { type: 'string' },
      })),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } } } }),
    responses: {
      [method === 'delete' ? 204 : '2XX']: { description: 'Done' },
      default: PROBLEM,
    },
  };
}
