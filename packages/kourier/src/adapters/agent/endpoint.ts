import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { kagentEndpoint } from './kagent-v1/endpoint.ts';
import type { Reached } from './reached.ts';
import type { Endpoint } from './wire/target.ts';

const WELL_KNOWN = '/.well-known/agent-card.json';

/** Rule D2. `undefined` when the url cannot be called, or kagent-v1 names no agent. */
export function endpointOf({
  backend,
  agent,
  inSpace,
}: Pick<Reached, 'backend' | 'agent' | 'inSpace'>): Endpoint | undefined {
  const base = httpUrl(backend.url);
  if (base === undefined || (backend.dialect === 'kagent-v1' && agent === undefined)) return undefined;
  const url = backend.dialect === 'kagent-v1' && agent !== undefined ? kagentEndpoint(base, agent) : base;
  if (backend.cardUrl !== undefined) {
    const cardUrl = httpUrl(backend.cardUrl);
    return cardUrl && { url, cardUrl, originCardUrl: undefined };
  }
  const cardUrl = cardBelow(url);
  const originCardUrl = new URL(WELL_KNOWN, url);
  // At the origin of a gateway there is no agent's card.
  const isSame = inSpace !== undefined || originCardUrl.href === cardUrl.href;
  return { url, cardUrl, originCardUrl: isSame ? undefined : originCardUrl };
}

/** The path is joined, not replaced, and a query is no part of it (case C011). */
function cardBelow(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = withoutEndSlashes(endpoint.pathname) + WELL_KNOWN;
  url.search = '';
  url.hash = '';
  return url;
}

function httpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
