/** A JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = Readonly<Record<string, unknown>>;

export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
