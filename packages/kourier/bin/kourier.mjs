#!/usr/bin/env node
// Read by whatever Node is installed, however old: nothing newer here than what the first Node with .mjs understands.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `kourier: Node ${process.versions.node} is too old; use Node 22.19 or newer (in a checkout: npx kourier)`,
  );
  process.exit(2);
}
void import('../src/main.ts').then(({ main }) => main(process.argv.slice(2)));
