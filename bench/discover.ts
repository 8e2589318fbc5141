import { Catalog, type DiscoverQuery } from '../packages/kourier/src/core/directory/catalog.ts';
import type { RegisteredAgent } from '../packages/kourier/src/core/directory/registered-agent.ts';
import { cpuMs, type Finding, interleaved, type Measure, mustEqual } from './measure.ts';

/** What is compared: one page of ten times as many agents may cost at most twice as much. */
const FEW = 1_000;
const MANY = 10_000;
const GOAL = 2;

const LIMIT = 50;
const ASKED = 200;

interface Question {
  readonly what: string;
  readonly query: Omit<DiscoverQuery, 'limit'>;
  /** Agents on the page. */
  readonly found: number;
}

const QUESTIONS: readonly Question[] = [
  { what: 'everybody', query: {}, found: LIMIT },
  { what: 'a word that all have', query: { text: 'assistant' }, found: LIMIT },
  { what: 'two words that a half and a third have', query: { text: 'left thirds' }, found: LIMIT },
  { what: 'two words that a half has each, and nobody both', query: { text: 'left right' }, found: 0 },
  { what: 'a beginning that a different word of each has', query: { text: 'left unit' }, found: LIMIT },
  { what: 'a tag that a tenth has', query: { skill: 'tenths' }, found: LIMIT },
  { what: 'a word that ten have', query: { text: 'rare' }, found: 10 },
];

/** One page of a directory must cost the same, however many agents there are. */
export const discover: Measure = {
  name: 'discover',
  async run(quick): Promise<readonly Finding[]> {
    const sizes = quick ? [FEW / 10, MANY / 10] : [FEW, MANY];
    const [few, many] = sizes.map(catalogOf);
    if (few === undefined || many === undefined) throw new Error('two catalogs');
    const findings: Finding[] = [];
    for (const question of QUESTIONS) findings.push(await compare(question, { few, many }, quick));
    return findings;
  },
};

async function compare(
  question: Question,
  { few, many }: Readonly<Record<'few' | 'many', Catalog>>,
  quick: boolean,
): Promise<Finding> {
  // A small catalog has not enough for a usual page.
  const limit = quick ? LIMIT / 10 : LIMIT;
  const cost = await interleaved(quick ? 1 : 9, {
    few: pagesOf(few, question, limit),
    many: pagesOf(many, question, limit),
  });
  const each = (ms: number): string => `${((ms / ASKED) * 1_000).toFixed(0)} µs`;
  return {
    name: `a page of ${MANY.toLocaleString('en')} against ${FEW.toLocaleString('en')} agents: ${question.what}`,
    ratio: cost.many / cost.few,
    goal: GOAL,
    better: 'lower',
    detail: `${each(cost.many)}, ${each(cost.few)} of processor time`,
  };
}

/** The same page, so often that its cost can be told. */
function pagesOf(catalog: Catalog, { query, found }: Question, limit: number): () => Promise<number> {
  return () =>
    cpuMs(async () => {
      for (let asked = 0; asked < ASKED; asked += 1) {
        const page = catalog.discover({ ...query, limit });
        mustEqual(page === 'bad-cursor' ? -1 : page.entries.length, Math.min(found, limit), 'agents of a page');
      }
    });
}

/** Agents whose order by name has nothing to do with which words they have. */
function catalogOf(size: number): Catalog {
  const catalog = new Catalog();
  for (let at = 0; at < size; at += 1) catalog.put(agentOf(at, size), undefined);
  return catalog;
}

function agentOf(at: number, size: number): RegisteredAgent {
  const words = [
    at % 2 === 0 ? 'left' : 'right',
    ...(at % 3 === 0 ? ['thirds'] : []),
    ...(at % (size / 10) === 0 ? ['rare'] : []),
  ];
  const skill = {
    id: `skill${at}`,
    name: `Skill unit${at}`,
    description: `Answers questions about topic${at % 97} and topic${at % 89}: ${words.join(', ')}.`,
    tags: at % 10 === 0 ? ['tenths'] : [`tag${at % 50}`],
  };
  const card = { name: `Assistant ${(at * 7_919) % 99_991}`, description: 'An assistant.', skills: [skill] };
  return {
    space: 'bench',
    id: `agent-${at}`,
    reach: 'inside',
    origin: 'http',
    disabled: false,
    current: {
      number: 1,
      versionId: 'v1-000000000000',
      cardSha256: String(at),
      card,
      endpoints: [{ url: 'http://agent.internal/', binding: 'JSONRPC', version: '1.0' }],
      signedBy: [],
      registeredBy: 'bench',
      at: 0,
      changes: [],
      state: 'current',
    },
    health: { state: 'healthy', failures: 0 },
    sequence: at,
  };
}
