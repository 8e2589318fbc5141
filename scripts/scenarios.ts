// Prints the acceptance scenarios that CI plays, joined by commas: those of the sections below, save the ones that
// `.ci/scenarios-for-next-issue.txt` names. A name there that is no such scenario is an error.
import { readdirSync, readFileSync } from 'node:fs';

const SECTIONS = ['discovery', 'methods', 'sent', 'replies', 'close', 'states', 'errors', 'restart'];
const LIST = '.ci/scenarios-for-next-issue.txt';

const [folder = ''] = process.argv.slice(2);
const all = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length))
  .filter((id) => SECTIONS.some((section) => id.startsWith(`${section}-`)));
const later = readFileSync(LIST, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => line.split(/\s+/)[0] ?? '');

const unknown = later.filter((id) => !all.includes(id));
if (unknown.length > 0) {
  console.error(`${LIST}: no such scenario: ${unknown.join(', ')}`);
  process.exit(1);
}
console.error(`${all.length} scenarios, ${later.length} of them wait for the next issue: ${later.join(', ')}`);
console.log(all.filter((id) => !later.includes(id)).join(','));
