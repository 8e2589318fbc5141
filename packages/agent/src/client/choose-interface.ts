import { type AgentCard, type CardInterface, wireOfInterface } from '@agentkourier/a2a/card';
import type { WireVersion } from '@agentkourier/a2a/wire-version';
import { CardError } from './client-error.ts';

/** GRPC is spoken where its packages are installed; see docs/calling-agents.md. */
export type Binding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

/** What is taken where the card offers it; else the first that the card names and that can be spoken. */
export interface Preference {
  readonly binding?: Binding;
  readonly version?: WireVersion;
}

export interface ChosenInterface {
  readonly url: string;
  readonly binding: Binding;
  readonly version: WireVersion;
  readonly tenant: string | undefined;
}

/** The interface of a card that is spoken to, in the card's order. Throws a CardError that names what it offers. */
export function chooseInterface(card: AgentCard, prefer: Preference = {}): ChosenInterface {
  const usable = card.interfaces.flatMap((entry) => {
    const version = wireOfInterface(card, entry);
    const { url, binding, tenant } = entry;
    if (url === '' || !isBinding(binding) || version === undefined) return [];
    return binding === 'GRPC' && version !== '1.0' ? [] : [{ url, binding, version, tenant }];
  });
  const likeness = ({ binding, version }: ChosenInterface): number =>
    Number(binding === prefer.binding) + Number(version === prefer.version);
  // It wants packages of its own, so that it is taken only where it is asked for or nothing else is there.
  const light = prefer.binding === 'GRPC' ? [] : usable.filter(({ binding }) => binding !== 'GRPC');
  const [first, ...others] = light.length > 0 ? light : usable;
  if (first === undefined) throw new CardError(nothingFits(card));
  return others.reduce((best, other) => (likeness(other) > likeness(best) ? other : best), first);
}

const isBinding = (binding: string): binding is Binding => ['JSONRPC', 'HTTP+JSON', 'GRPC'].includes(binding);

function nothingFits({ interfaces }: AgentCard): string {
  const offered = interfaces.slice(0, 10).map(named);
  const offers = offered.length === 0 ? 'names no interface' : `offers ${offered.join(', ')}`;
  return `The card ${offers}; this client speaks JSONRPC and HTTP+JSON, A2A 1.0 and 0.3, and GRPC, A2A 1.0.`;
}

function named({ binding, protocolVersion, url }: CardInterface): string {
  const version = protocolVersion === '' ? '' : ` ${protocolVersion.slice(0, 20)}`;
  return `${binding.slice(0, 40) || 'no binding'}${version}${url === '' ? ' without a url' : ''}`;
}
