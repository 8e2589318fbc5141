import type { Binding } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { durationMs } from './duration.ts';
import type { Report } from './problem.ts';
import { type AgentSpec, type KnownAgents, resolveAgent } from './resolve-agent.ts';
import type { ChatPlaces, ChatSpec } from './resolve-chat.ts';
import { resolveSecret, type SecretFault } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import { type Say, speaker } from './speaker.ts';

interface BindingSpec extends AgentSpec {
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
  return [identity?.tokenSecretRef, hooks?.generic?.signingSecretRef].filter((reference) => reference !== undefined);
}

export interface Known extends KnownAgents {
  readonly places: ChatPlaces;
}

/** The binding, or undefined when its backend or Space is not to be had; what is wrong with it is reported. */
export function resolveBinding(document: Checked, known: Known, report: Report): Binding | undefined {
  const spec = bindingSpec(document);
  const say = speaker(document, report);
  const agent = resolveAgent(spec, known, say);
  const chat = known.places.resolve(document, spec.chat);
  const hooks = hooksOf(spec.hooks, known.secrets, say);
  if (agent === undefined) return undefined;
  return {
    name: document.name,
    ...agent,
    chat,
    interactions: interactionsOf(spec.interactions),
    ...(hooks === undefined ? {} : { hooks }),
  };
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
