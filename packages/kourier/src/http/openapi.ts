import { PROBLEMS, type ProblemCode } from './problem.ts';
import type { AnswerShape, Route } from './route.ts';
import { reference, type Schema } from './schemas/schema.ts';
import { SCHEMAS } from './schemas/validate.ts';

/** What any call can be refused with, and what any call with a body can be. */
const ANY: readonly ProblemCode[] = ['malformed-request', 'host-refused', 'origin-refused', 'internal-error'];
const ANY_POST: readonly ProblemCode[] = [
  'request-timeout',
  'body-too-large',
  'unsupported-media-type',
  'invalid-request',
];

/** The OpenAPI 3.1 document of these calls. */
export function openApiDocument(routes: readonly Route[]): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Kourier',
      version: 'v1',
      description:
        'Carries conversations from chat threads to A2A agents. In local mode the server listens on loopback, takes the actor from the body, and refuses a Host that is not loopback and calls from other web sites.',
    },
    paths,
    components: { schemas: SCHEMAS },
  };
}

function operation({
  method,
  path,
  operation: { summary, answers, problems = [], query, headers },
  body,
}: Route): Schema {
  const codes = [...ANY, ...(method === 'post' ? ANY_POST : []), ...problems];
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...described('query', query),
    ...described('header', headers),
  ];
  return {
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: reference(body) } } } }),
    responses: { ...problemResponses(codes), ...mapValues(answers, answered) },
  };
}

function described(place: string, parameters: Readonly<Record<string, string | Schema>> = {}): readonly Schema[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const { description, ...schema } =
      typeof parameter === 'string' ? { description: parameter, type: 'string' } : parameter;
    return { name, in: place, description, schema };
  });
}

function answered({ description, schema, contentType = 'application/json' }: AnswerShape): Schema {
  const plain = contentType === 'application/json' ? { type: 'object' } : { type: 'string' };
  return { description, content: { [contentType]: { schema: schema === undefined ? plain : reference(schema) } } };
}

function problemResponses(codes: readonly ProblemCode[]): Readonly<Record<string, Schema>> {
  const byStatus = Map.groupBy(codes, (code) => String(PROBLEMS[code].status));
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, problemResponse(group)]));
}

function problemResponse(codes: readonly ProblemCode[]): Schema {
  const schema = { allOf: [reference('Problem'), { properties: { code: { enum: codes } } }] };
  const description = codes.map((code) => PROBLEMS[code].title).join('; ');
  return { description, content: { 'application/problem+json': { schema } } };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
