import type { Backend, Binding, Identity } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { durationMs } from './duration.ts';
import { quoted, type Report, writeOneOf } from './problem.ts';
import type { ChatPlaces, ChatSpec } from './resolve-chat.ts';
import { headerFault } from './resolve-headers.ts';
import { resolveSecret, type SecretFault } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import { type Say, speaker } from './speaker.ts';

interface BindingSpec {
  readonly backend: string;
  readonly agent?: { readonly namespace: string; readonly name: string };
  readonly identity: { readonly tokenSecretRef?: SecretReference; readonly userId?: string };
  readonly chat: ChatSpec;
  readonly hooks?: { readonly generic?: { readonly signingSecretRef: SecretReference } };
  readonly interactions?: {
    readonly questions?: { readonly timeout: string };
    readonly toolApprovals?: { readonly timeout: string; readonly approvers?: readonly string[] };
  };
}

const bindingSpec = ({ value }: Checked): BindingSpec => value['spec'] as BindingSpec;

export function bindingReferences(document: Checked): readonly SecretReference[] {
  const { identity, hooks } = bindingSpec(document);
  return [identity.tokenSecretRef, hooks?.generic?.signingSecretRef].filter((reference) => reference !== undefined);
}

export interface Known {
  readonly backends: ReadonlyMap<string, Backend>;
  /** Backends whose document is refused for its shape: a reference to one is no second mistake. */
  readonly misshapedBackends: ReadonlySet<string>;
  readonly places: ChatPlaces;
  readonly secrets: Secrets;
}

/** The binding, or undefined when its backend is not to be had; what is wrong with it is reported. */
export function resolveBinding(document: Checked, known: Known, report: Report): Binding | undefined {
  const spec = bindingSpec(document);
  const say = speaker(document, report);
  const backend = known.backends.get(spec.backend);
  if (backend === undefined && !known.misshapedBackends.has(spec.backend))
    say(['spec', 'backend'], `backend ${quoted(spec.backend)} is not known`, nearestBackend(spec.backend, known));
  if (backend?.dialect === 'kagent-v1' && spec.agent === undefined)
    say(['spec'], 'agent is missing: its backend speaks kagent-v1', 'add agent: { namespace: …, name: … }');
  if (backend?.dialect === 'a2a' && spec.agent !== undefined)
    say(['spec', 'agent'], 'agent is for kagent-v1: its backend speaks a2a', 'leave it out');
  const chat = known.places.resolve(document, spec.chat);
  const identity = identityOf(spec.identity, known.secrets, say);
  const hooks = hooksOf(spec.hooks, known.secrets, say);
  if (backend === undefined) return undefined;
  checkOneIdentity(identity, backend, say);
  return {
    name: document.name,
    backend,
    ...(spec.agent === undefined ? {} : { agent: spec.agent }),
    identity,
    chat,
    interactions: interactionsOf(spec.interactions),
    ...(hooks === undefined ? {} : { hooks }),
  };
}

function nearestBackend(name: string, { backends, misshapedBackends }: Known): string {
  const names = [...backends.keys(), ...misshapedBackends];
  return names.length === 0 ? `add an AgentBackend ${quoted(name)}` : writeOneOf(name, names);
}

function identityOf({ tokenSecretRef, userId }: BindingSpec['identity'], secrets: Secrets, say: Say): Identity {
  if (tokenSecretRef === undefined) return { userId: userId ?? '' };
  const path = ['spec', 'identity', 'tokenSecretRef'];
  return { token: resolveSecret(tokenSecretRef, path, { fault: headerFault, secrets, say }) };
}

/** One identity header on every call (rule S7). */
function checkOneIdentity(identity: Identity, { name, headers }: Backend, say: Say): void {
  const header = 'token' in identity ? 'authorization' : 'x-user-id';
  if (!headers.some((sent) => sent.name.toLowerCase() === header)) return;
  say(
    ['spec', 'identity'],
    `backend ${quoted(name)} has a header ${header} too`,
    'leave it out there, or use the other identity',
  );
}

/** What signs has to be beyond guessing: nothing else keeps a stranger out. */
const SIGNING_SECRET = /^[\x21-\x7e]{16,256}$/;

function hooksOf({ generic }: BindingSpec['hooks'] = {}, secrets: Secrets, say: Say): Binding['hooks'] {
  if (generic === undefined) return undefined;
  const path = ['spec', 'hooks', 'generic', 'signingSecretRef'];
  return { generic: { secret: resolveSecret(generic.signingSecretRef, path, { fault: signingFault, secrets, say }) } };
}

function signingFault(text: string): SecretFault | undefined {
  if (SIGNING_SECRET.test(text)) return undefined;
  return {
    what: 'does not sign well',
    write: 'write 16 to 256 visible ASCII characters, as openssl rand -hex 32 does',
  };
}

function interactionsOf({ questions, toolApprovals }: BindingSpec['interactions'] = {}): Binding['interactions'] {
  const timeoutMs = (timeout: string): number => durationMs(timeout) ?? 0;
  const approvers = toolApprovals?.approvers;
  return {
    ...(questions === undefined ? {} : { questions: { timeoutMs: timeoutMs(questions.timeout) } }),
    ...(toolApprovals === undefined
      ? {}
      : {
          toolApprovals: {
            timeoutMs: timeoutMs(toolApprovals.timeout),
            ...(approvers === undefined ? {} : { approvers }),
          },
        }),
  };
}
