// `npm run bench [-- --json FILE] [--only NAME] [--quick]`: our speed against a yardstick of the same run.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { discover } from './discover.ts';
import { gateway } from './gateway.ts';
import { growth } from './growth.ts';
import { latency } from './latency.ts';
import type { Finding, Measure } from './measure.ts';
import { memory } from './memory.ts';
import { reading } from './reading.ts';
import { serving } from './serving/serving.ts';
import { turns } from './turns.ts';

const MEASURES: readonly Measure[] = [turns, reading, latency, memory, growth, serving, discover, gateway];

const { values } = parseArgs({
  options: { json: { type: 'string' }, only: { type: 'string' }, quick: { type: 'boolean', default: false } },
});
const chosen = MEASURES.filter(({ name }) => values.only === undefined || values.only === name);
if (chosen.length === 0) {
  console.error(`no measure is called ${values.only}; there are ${MEASURES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const findings: Finding[] = [];
for (const measure of chosen) {
  for (const finding of await measure.run(values.quick)) {
    findings.push(finding);
    print(finding);
  }
}
if (values.json !== undefined) {
  const rows = findings.map(({ name, ratio, goal, better }) => ({ name, ratio, goal, better }));
  writeFileSync(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
}

function print({ name, ratio, goal, better, detail }: Finding): void {
  const met = better === 'higher' ? ratio >= goal : ratio <= goal;
  const word = values.quick ? 'quick' : met ? 'met' : 'NOT MET';
  console.log(
    `${name}\n  ${ratio.toFixed(2)}  goal ${better === 'higher' ? '>=' : '<='} ${goal}  ${word}  (${detail})`,
  );
}
