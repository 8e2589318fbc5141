import { arrayOf, idOf, isObject, type JsonObject, objectOf, textOf } from './json-value.ts';
import { type CardFinding, judgeCard } from './judge-card.ts';
import { versionText, type WireVersion, wireVersionOf } from './wire-version.ts';

export interface CardInterface {
  /** As written; empty when the card holds none. */
  readonly url: string;
  /** `JSONRPC`, `GRPC`, `HTTP+JSON`, or what the card says. */
  readonly binding: string;
  /** As written on the entry; empty when it holds none. */
  readonly protocolVersion: string;
  /** The shape that the entry came in. */
  readonly shape: WireVersion;
  /** What every call of this interface names as its tenant (A2A 1.0). */
  readonly tenant?: string;
}

export interface CardExtension {
  readonly uri: string;
  readonly required: boolean;
}

/** Which wire to speak, and the evidence that it was chosen by (decision 13). */
export interface WireChoice {
  readonly version: WireVersion;
  readonly rule: 'interface' | 'root' | 'shape';
  readonly why: string;
}

/** A card of either version in one form. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly interfaces: readonly CardInterface[];
  /** Only JSON `true` turns it on (case C002). */
  readonly streaming: boolean;
  readonly extensions: readonly CardExtension[];
  readonly skills: readonly JsonObject[];
  readonly wire: WireChoice;
  /** What the card lacks or has wrong by the letter of the version that was chosen. */
  readonly findings: readonly CardFinding[];
  /** The card as it came, with everything that is not read here. */
  readonly source: JsonObject;
}

export type CardReading =
  | { readonly kind: 'card'; readonly card: AgentCard }
  /** Every field that a card must have, with its path (case C001). */
  | { readonly kind: 'not-a-card'; readonly findings: readonly CardFinding[] };

/**
 * Reads a card of A2A 1.0 or 0.3. It is taken when it says where the agent speaks, or looks like a card otherwise; what
 * only describes may be missing. What is wrong with it stands in `findings`.
 */
export function readCard(value: unknown): CardReading {
  if (!isObject(value)) return { kind: 'not-a-card', findings: judgeCard(value, '1.0').faults };
  const interfaces = readInterfaces(value);
  const wire = chooseWire(value, interfaces);
  const findings = judgeCard(value, wire.version).faults;
  if (!looksLikeCard(value)) return { kind: 'not-a-card', findings };
  const capabilities = objectOf<'streaming' | 'extensions'>(value['capabilities']);
  const card: AgentCard = {
    name: textOf(value['name']) ?? '',
    description: textOf(value['description']) ?? '',
    version: versionText(value['version']),
    interfaces,
    streaming: capabilities?.streaming === true,
    extensions: readExtensions(capabilities?.extensions),
    skills: arrayOf(value['skills']).filter(isObject),
    wire,
    findings,
    source: value,
  };
  return { kind: 'card', card };
}

/** The wire that a card asks for, and the evidence (decision 13); of anything that has no evidence, 1.0. */
export function wireOfCard(value: unknown): WireChoice {
  return chooseWire(isObject(value) ? value : {}, isObject(value) ? readInterfaces(value) : []);
}

/** The interfaces that we can speak (rule D1). */
export function jsonRpcInterfaces(interfaces: readonly CardInterface[]): readonly CardInterface[] {
  return interfaces.filter(({ binding }) => binding === 'JSONRPC');
}

/**
 * The wire of one interface: its own version, else the card's, else the shape that it is written in (decision 13).
 * `undefined`: it names a version that we do not speak.
 */
export function wireOfInterface(card: AgentCard, { protocolVersion, shape }: CardInterface): WireVersion | undefined {
  if (protocolVersion !== '') return wireVersionOf(protocolVersion);
  const root = versionText(card.source['protocolVersion']);
  return root === '' ? shape : wireVersionOf(root);
}

function looksLikeCard(card: JsonObject): boolean {
  if (Array.isArray(card['supportedInterfaces']) || textOf(card['url'])) return true;
  if (Array.isArray(card['additionalInterfaces'])) return true;
  return Boolean(textOf(card['name'])) && (isObject(card['capabilities']) || Array.isArray(card['skills']));
}

function readInterfaces(card: JsonObject): readonly CardInterface[] {
  const interfaces: CardInterface[] = [];
  for (const item of arrayOf(card['supportedInterfaces'])) {
    const entry = objectOf<'url' | 'protocolBinding' | 'transport' | 'protocolVersion' | 'tenant'>(item);
    if (entry === undefined) continue;
    const binding = bindingOf(entry.protocolBinding ?? entry.transport, '');
    const tenant = idOf(entry.tenant);
    const named = tenant === undefined ? {} : { tenant };
    interfaces.push({ ...address(entry.url, entry.protocolVersion), binding, shape: '1.0', ...named });
  }
  const url = textOf(card['url']);
  if (url)
    interfaces.push({ ...address(url), binding: bindingOf(card['preferredTransport'], 'JSONRPC'), shape: '0.3' });
  for (const item of arrayOf(card['additionalInterfaces'])) {
    const entry = objectOf<'url' | 'transport' | 'protocolVersion'>(item);
    if (entry === undefined) continue;
    interfaces.push({
      ...address(entry.url, entry.protocolVersion),
      binding: bindingOf(entry.transport, ''),
      shape: '0.3',
    });
  }
  return interfaces;
}

function address(url: unknown, protocolVersion?: unknown): { readonly url: string; readonly protocolVersion: string } {
  return { url: textOf(url) ?? '', protocolVersion: versionText(protocolVersion) };
}

/** `JSON-RPC` and `jsonrpc` are seen too; only the letter of the binding is uneven, not its meaning. */
function bindingOf(value: unknown, byDefault: string): string {
  if (value === undefined || value === null || value === '') return byDefault;
  const binding = textOf(value) ?? '';
  return /^json-?rpc$/i.test(binding) ? 'JSONRPC' : binding;
}

function readExtensions(value: unknown): readonly CardExtension[] {
  const extensions: CardExtension[] = [];
  for (const item of arrayOf(value)) {
    const entry = objectOf<'uri' | 'required'>(item);
    const uri = textOf(entry?.uri);
    if (uri) extensions.push({ uri, required: entry?.required === true });
  }
  return extensions;
}

/**
 * The interface that we would call decides: its own version, else the card's, else the shape that it is written in
 * (decision 13, case C004). A version that we do not speak says nothing.
 */
function chooseWire(card: JsonObject, interfaces: readonly CardInterface[]): WireChoice {
  const candidates = jsonRpcInterfaces(interfaces);
  const root = wireVersionOf(card['protocolVersion']);
  for (const { protocolVersion } of candidates) {
    const version = wireVersionOf(protocolVersion);
    if (version !== undefined) {
      return {
        version,
        rule: 'interface',
        why: `its JSON-RPC interface says protocolVersion ${quoted(protocolVersion)}`,
      };
    }
    if (root !== undefined) break;
  }
  if (root !== undefined) {
    return {
      version: root,
      rule: 'root',
      why: `the card says protocolVersion ${quoted(versionText(card['protocolVersion']))}`,
    };
  }
  const old =
    candidates[0]?.shape === '0.3' || (candidates.length === 0 && !('supportedInterfaces' in card) && 'url' in card);
  return old
    ? { version: '0.3', rule: 'shape', why: 'no version is named; the card has a root url' }
    : { version: '1.0', rule: 'shape', why: 'no version is named; the card has no root url' };
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 20));
