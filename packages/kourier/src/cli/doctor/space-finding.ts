import type { Choice } from '../../ports/agent.ts';
import type { Finding } from '../../ports/finding.ts';
import type { Binding } from '../../ports/registry.ts';

export type OfSpace = Extract<Binding, { readonly backend?: undefined }>;

/** What a Space's answer says of a binding whose threads each get an agent of their own. */
export function spaceFinding({ name, space }: OfSpace, choice: Choice): Finding {
  const { pick } = space;
  const at = `binding ${name}: Space ${space.id} at ${space.url}`;
  const answers = { verdict: 'ok', what: `${at} answers: the first message of a thread chooses its agent` } as const;
  switch (choice.kind) {
    case 'agent':
      return answers;
    case 'no-agent':
      if (pick.by === 'skill' && choice.reason === 'unknown-skill')
        return {
          verdict: 'fail',
          what: `${at} has no agent with the skill ${pick.skillId}`,
          todo: `correct space.skill of binding ${name}, or register one there`,
        };
      if (choice.reason === 'no-space')
        return {
          verdict: 'fail',
          what: `${at} is not there, or not for our key`,
          todo: `correct id and keySecretRef of SpaceConnection ${space.name}`,
        };
      if (choice.reason !== 'blocked') return answers;
      return {
        verdict: 'warn',
        what: `${at} has nobody who can be called: ${choice.agents.join(', ')} fits and is blocked`,
        todo: "look at the Space's agents",
      };
    case 'credentials':
      return {
        verdict: 'fail',
        what: `${at} does not take our key: ${choice.why}`,
        todo: `correct keySecretRef of SpaceConnection ${space.name}, or its secret`,
      };
    default:
      return {
        verdict: 'fail',
        what: `${at} does not answer: ${choice.why}`,
        todo: `start it, or correct url and id of SpaceConnection ${space.name}`,
      };
  }
}
