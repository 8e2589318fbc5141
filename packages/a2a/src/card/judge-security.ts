import { arrayOf, isObject, type JsonObject } from '../json-value.ts';
import { type Findings, memberPath, quoted } from './findings.ts';

/**
 * Security requirements, of the card and of each skill, name declared schemes (rule C4). The list is an OR, its entries
 * are ANDs; an empty entry means that no credentials are an alternative, too.
 */
export function judgeSecurity(card: JsonObject, into: Findings): void {
  const schemes = isObject(card['securitySchemes']) ? card['securitySchemes'] : {};
  const member = into.version === '0.3' ? 'security' : 'securityRequirements';
  judgeRequirements(card[member], `$.${member}`, schemes, into);
  arrayOf(card['skills']).forEach((skill, index) => {
    if (isObject(skill)) judgeRequirements(skill[member], `$.skills[${index}].${member}`, schemes, into);
  });
}

function judgeRequirements(value: unknown, path: string, schemes: JsonObject, into: Findings): void {
  arrayOf(value).forEach((entry, index) => {
    if (!isObject(entry)) return;
    const [names, place] =
      into.version === '0.3'
        ? [entry, `${path}[${index}]`]
        : [isObject(entry['schemes']) ? entry['schemes'] : {}, `${path}[${index}].schemes`];
    const declared = Object.keys(schemes).slice(0, 20).map(quoted).join(', ');
    for (const name of Object.keys(names)) {
      if (Object.hasOwn(schemes, name)) continue;
      const rule =
        declared === ''
          ? 'schemes that securitySchemes declares: none'
          : `one of ${declared}, as securitySchemes declares`;
      into.fault(memberPath(place, name), 'undeclared', `the scheme ${quoted(name)}`, rule);
    }
  });
}
