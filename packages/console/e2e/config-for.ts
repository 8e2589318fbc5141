/** The configuration of a web binding to one A2A agent. `more`: lines of the Binding's spec. */
export function configFor(name: string, url: string, more = ''): string {
  return `apiVersion: agentkourier.dev/v1alpha1
kind: AgentBackend
metadata: { name: ${name} }
spec: { dialect: a2a, url: "${url}" }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Binding
metadata: { name: ${name} }
spec:
  backend: ${name}
  identity: { userId: me }
  chat: { platform: web }
  ${more}
`;
}
