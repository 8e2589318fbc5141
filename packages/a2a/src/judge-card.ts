import { isObject, type JsonObject } from './json-value.ts';
import { type WireVersion, wireVersionOf } from './wire-version.ts';

/** One thing that is wrong with a card by the letter of a version. */
export interface CardFinding {
  /** JSON path, `$.capabilities.streaming`. */
  readonly path: string;
  readonly problem: 'missing' | 'wrong-type' | 'empty' | 'unsupported';
  readonly message: string;
}

type Type = 'string' | 'boolean' | 'object' | 'array' | 'strings';

interface Rule {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  /** Rules for the object, or for each object of the array. */
  readonly members?: readonly Rule[];
  /** An empty text or array is no value. */
  readonly filled?: boolean;
}

const must = (name: string, type: Type, more?: Partial<Rule>): Rule => ({ name, type, required: true, ...more });
const may = (name: string, type: Type, more?: Partial<Rule>): Rule => ({ name, type, required: false, ...more });

const EXTENSION = [must('uri', 'string', { filled: true }), may('required', 'boolean'), may('description', 'string')];

const SKILL = [
  must('id', 'string'),
  must('name', 'string'),
  must('description', 'string'),
  must('tags', 'strings'),
  may('examples', 'strings'),
];

const COMMON = [
  must('name', 'string', { filled: true }),
  must('description', 'string'),
  must('version', 'string'),
  must('defaultInputModes', 'strings'),
  must('defaultOutputModes', 'strings'),
  must('skills', 'array', { members: SKILL }),
];

const CAPABILITIES = [
  may('streaming', 'boolean'),
  may('pushNotifications', 'boolean'),
  may('extensions', 'array', { members: EXTENSION }),
];

const INTERFACE_1_0 = [
  must('url', 'string', { filled: true }),
  must('protocolBinding', 'string', { filled: true }),
  must('protocolVersion', 'string', { filled: true }),
];

const INTERFACE_0_3 = [must('url', 'string', { filled: true }), must('transport', 'string', { filled: true })];

/** What each version asks of a card. Members that are not named here are nobody's business (case C007). */
const RULES: Readonly<Record<WireVersion, readonly Rule[]>> = {
  '1.0': [
    ...COMMON,
    must('supportedInterfaces', 'array', { members: INTERFACE_1_0, filled: true }),
    must('capabilities', 'object', { members: CAPABILITIES }),
  ],
  '0.3': [
    ...COMMON,
    must('url', 'string', { filled: true }),
    must('protocolVersion', 'string', { filled: true }),
    may('preferredTransport', 'string'),
    may('additionalInterfaces', 'array', { members: INTERFACE_0_3 }),
    must('capabilities', 'object', { members: CAPABILITIES }),
  ],
};

/** Every fault of a card by the letter of one version, each with its path. Judges only; reading it is `readCard`'s. */
export function judgeCard(value: unknown, version: WireVersion): readonly CardFinding[] {
  if (!isObject(value)) {
    const message = `an A2A ${version} card is an object`;
    return [{ path: '$', problem: 'wrong-type', message }, ...judgeMembers({}, RULES[version], '$', version)];
  }
  return [...judgeMembers(value, RULES[version], '$', version), ...judgeVersion(value)];
}

function judgeMembers(object: JsonObject, rules: readonly Rule[], path: string, version: WireVersion): CardFinding[] {
  return rules.flatMap((rule) => judgeMember(object[rule.name], rule, `${path}.${rule.name}`, version));
}

function judgeMember(value: unknown, rule: Rule, path: string, version: WireVersion): CardFinding[] {
  if (value === undefined || (value === null && !rule.required)) {
    if (!rule.required) return [];
    return [{ path, problem: 'missing', message: `A2A ${version} requires it` }];
  }
  if (!hasType(value, rule.type)) {
    return [{ path, problem: 'wrong-type', message: `${typeName(rule.type)} is expected` }];
  }
  if (rule.filled === true && (value === '' || (Array.isArray(value) && value.length === 0))) {
    return [{ path, problem: 'empty', message: `A2A ${version} requires a value` }];
  }
  const { members } = rule;
  if (members === undefined) return [];
  if (isObject(value)) return judgeMembers(value, members, path, version);
  return (value as readonly unknown[]).flatMap((item, index): CardFinding[] => {
    const place = `${path}[${index}]`;
    if (isObject(item)) return judgeMembers(item, members, place, version);
    return [{ path: place, problem: 'wrong-type', message: 'an object is expected' }];
  });
}

function judgeVersion(card: JsonObject): readonly CardFinding[] {
  const version = card['protocolVersion'];
  if (typeof version !== 'string' || version === '' || wireVersionOf(version) !== undefined) return [];
  return [{ path: '$.protocolVersion', problem: 'unsupported', message: 'neither A2A 1.0 nor 0.3' }];
}

function hasType(value: unknown, type: Type): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'strings') return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === type;
}

function typeName(type: Type): string {
  if (type === 'strings') return 'an array of strings';
  return type === 'array' || type === 'object' ? `an ${type}` : `a ${type}`;
}
