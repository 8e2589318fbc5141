/** The path below which an agent is mounted: empty at the root, else with a slash before it and none behind it. */
export function basePathOf(path = ''): string {
  const inner = path.split('/').filter(Boolean).join('/');
  return inner === '' ? '' : `/${inner}`;
}
