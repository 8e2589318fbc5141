// Writes docs/reference/agent.md from the docstrings of what `@agentkourier/agent` exports: `api-reference.ts`.
import { writeFileSync } from 'node:fs';
import { apiReference, REFERENCE } from './reference-pages.ts';

writeFileSync(REFERENCE, apiReference());
console.log(REFERENCE);
