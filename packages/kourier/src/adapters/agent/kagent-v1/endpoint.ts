/** kagent serves each agent below its base, by namespace and name (rule D2). A query of the base is kept. */
export function kagentEndpoint(base: URL, agent: { readonly namespace: string; readonly name: string }): URL {
  const endpoint = new URL(base);
  const path = base.pathname.replace(/\/+$/, '');
  endpoint.pathname = `${path}/agents/${encodeURIComponent(agent.namespace)}/${encodeURIComponent(agent.name)}`;
  return endpoint;
}
