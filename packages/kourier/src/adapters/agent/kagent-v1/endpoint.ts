import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';

/** kagent serves each agent below its base, by namespace and name (rule D2). A query of the base is kept. */
export function kagentEndpoint(base: URL, agent: { readonly namespace: string; readonly name: string }): URL {
  const endpoint = new URL(base);
  const path = withoutEndSlashes(base.pathname);
  endpoint.pathname = `${path}/agents/${encodeURIComponent(agent.namespace)}/${encodeURIComponent(agent.name)}`;
  return endpoint;
}
