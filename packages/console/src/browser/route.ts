/** Where the page is: the thread stands in the address, so that a reload and a link find it. */
export type Route = { readonly kind: 'new' } | { readonly kind: 'thread'; readonly id: string };

export function routeOf(path: string): Route {
  const found = /^\/threads\/([^/]+)\/?$/.exec(path)?.[1];
  if (found === undefined) return { kind: 'new' };
  try {
    return { kind: 'thread', id: decodeURIComponent(found) };
  } catch {
    return { kind: 'new' };
  }
}

export function pathOf(route: Route): string {
  return route.kind === 'new' ? '/' : `/threads/${encodeURIComponent(route.id)}`;
}

/** `onMove` after the browser's own back and forward; answers how to stop listening. */
export function watchRoute(onMove: (route: Route) => void): () => void {
  const moved = (): void => onMove(routeOf(location.pathname));
  addEventListener('popstate', moved);
  return () => removeEventListener('popstate', moved);
}
