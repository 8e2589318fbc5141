import type * as codecs from '@a2a-js/sdk';
import type { Transport } from '@a2a-js/sdk/client';
import { UnsupportedError } from '../client-error.ts';

/** The official SDK's gRPC transport to one agent, and the codecs of its messages. */
export interface GrpcPeer {
  readonly transport: Transport;
  readonly sdk: typeof codecs;
}

const importPackages = () =>
  Promise.all([import('@a2a-js/sdk'), import('@a2a-js/sdk/client/grpc'), import('@grpc/grpc-js')]);

/** Loads packages that are optional; throws an UnsupportedError that says which. It connects with the first call. */
export async function loadGrpc(url: URL, load = importPackages): Promise<GrpcPeer> {
  const [sdk, { GrpcTransportFactory }, { credentials }] = await load().catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UnsupportedError(
      'gRPC wants packages of its own: npm install @a2a-js/sdk @grpc/grpc-js @bufbuild/protobuf, or prefer another binding.',
    );
  });
  const secure = url.protocol === 'https:';
  const grpcChannelCredentials = secure ? credentials.createSsl() : credentials.createInsecure();
  const target = `${url.hostname}:${url.port || (secure ? '443' : '80')}`;
  const factory = new GrpcTransportFactory({ grpcChannelCredentials });
  return { sdk, transport: await factory.create(target, sdk.AgentCard.fromJSON({})) };
}

/** Cards name a host and a port, often without a scheme. Only on this machine is that taken for no TLS. */
export function grpcUrl(named: string): string {
  if (/^https?:\/\//i.test(named)) return named;
  return `${/^(localhost|127\.[\d.]+|\[::1\])(:|$)/.test(named) ? 'http' : 'https'}://${named}`;
}
