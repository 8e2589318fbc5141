#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`kourier: Node ${process.versions.node} is too old; use Node 22.19 or newer (in a checkout: npx kourier)`);
  process.exit(2);
}
const { main } = await import('../src/main.ts');
await main(process.argv.slice(2));
