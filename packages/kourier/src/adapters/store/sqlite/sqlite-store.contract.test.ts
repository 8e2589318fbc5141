import { join } from 'node:path';
import { storeContract } from '../../../../contract/store.ts';
import { sqliteStore } from './sqlite-store.ts';

storeContract('sqlite', (folder) => sqliteStore({ path: join(folder, 'data', 'kourier.db') }), { durable: true });
