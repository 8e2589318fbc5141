import { Findings, type Judgement, quoted, told } from './card/findings.ts';
import { judgeInterfaces } from './card/judge-interfaces.ts';
import { judgeObject } from './card/judge-members.ts';
import { judgeSecurity } from './card/judge-security.ts';
import type { Shape } from './card/schema.ts';
import { CARD_0_3 } from './card/schema-0-3.ts';
import { CARD_1_0 } from './card/schema-1-0.ts';
import { arrayOf, isObject, type JsonObject } from './json-value.ts';
import { type WireVersion, wireVersionOf } from './wire-version.ts';

export type { CardFinding, CardNote, Judgement } from './card/findings.ts';

export const CARD_SHAPES: Readonly<Record<WireVersion, Shape>> = { '0.3': CARD_0_3, '1.0': CARD_1_0 };

/**
 * Every fault of a card by the letter of one version, in one pass, each with its path (rules C1, C3, C4, C7): first field
 * by field in the order of the specification, then what spans fields. Judges only; reading it is `readCard`'s.
 */
export function judgeCard(value: unknown, version: WireVersion): Judgement {
  const { judgement, notes } = judged(value, version);
  const mixed = isObject(value) ? mixture(value, judgement, version) : undefined;
  return mixed === undefined ? judgement : { ...judgement, notes: [mixed, ...notes] };
}

function judged(value: unknown, version: WireVersion): Findings {
  const into = new Findings(version);
  if (!isObject(value)) into.fault('$', 'wrong-type', told(value), 'an object');
  const card = isObject(value) ? value : {};
  judgeObject(card, CARD_SHAPES[version], '$', into);
  judgeVersion(card, into);
  judgeInterfaces(card, into);
  judgeSecurity(card, into);
  judgeSkillIds(card, into);
  return into;
}

function judgeVersion(card: JsonObject, into: Findings): void {
  const version = card['protocolVersion'];
  if (typeof version !== 'string' || version === '') return;
  const wire = wireVersionOf(version);
  if (into.version === '0.3' && /^\s*v?0+\.0*2(\D|$)/.test(version))
    into.note('$.protocolVersion', 'advice', `${quoted(version)} is judged as 0.3`);
  if (wire === undefined || (into.version === '0.3' && wire !== '0.3'))
    into.fault('$.protocolVersion', 'unsupported', told(version), wire === undefined ? '1.0 or 0.3' : '0.3');
}

function judgeSkillIds(card: JsonObject, into: Findings): void {
  const seen = new Map<string, number>();
  arrayOf(card['skills']).forEach((skill, index) => {
    const id = isObject(skill) ? skill['id'] : undefined;
    if (typeof id !== 'string' || id === '') return;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, index);
    else
      into.fault(
        `$.skills[${index}].id`,
        'duplicate',
        told(id),
        `an id of its own, and ${quoted(id)} is that of skill ${first}`,
      );
  });
}

/** A card with members that only the other version knows is half-migrated, or a whole card of both (case C004). */
function mixture(
  card: JsonObject,
  { faults }: Judgement,
  version: WireVersion,
): Judgement['notes'][number] | undefined {
  const has = (wire: WireVersion): string[] =>
    Object.keys(CARD_SHAPES[wire === '1.0' ? '0.3' : '1.0'].elsewhere ?? {}).filter(
      (name) => card[name] !== undefined && card[name] !== null,
    );
  const [old, modern] = [has('0.3'), has('1.0')];
  if (old.length === 0 || modern.length === 0) return undefined;
  const other = version === '1.0' ? '0.3' : '1.0';
  const isOther = judged(card, other).faults.length === 0;
  const members = `${old.join(', ')} of A2A 0.3 beside ${modern.join(', ')} of A2A 1.0`;
  if (isOther && faults.length === 0)
    return { path: '$', kind: 'both-versions', message: `a card of both versions: ${members}` };
  const whole =
    faults.length === 0 ? `whole as ${version} only` : isOther ? `whole as ${other} only` : 'whole as neither';
  return { path: '$', kind: 'half-migrated', message: `half-migrated, ${whole}: ${members}` };
}
