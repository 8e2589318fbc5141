/** JSON as it comes: read field by field. */
export type Shape = Readonly<Record<string, unknown>>;

export function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function shapeIn(shape: Shape, name: string): Shape | undefined {
  const value = shape[name];
  return isShape(value) ? value : undefined;
}

/** Empty where there is no list. What is in it and is no object is left out. */
export function shapesIn(shape: Shape, name: string): readonly Shape[] {
  const value = shape[name];
  return Array.isArray(value) ? value.filter(isShape) : [];
}

export function textIn(shape: Shape, name: string): string | undefined {
  const value = shape[name];
  return typeof value === 'string' ? value : undefined;
}

/** Without the members that are undefined, as JSON would have it. */
export function compact(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined));
}
