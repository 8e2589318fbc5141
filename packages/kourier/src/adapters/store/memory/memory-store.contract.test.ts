import { storeContract } from '../../../../contract/store.ts';
import { memoryStore } from './memory-store.ts';

storeContract('memory', async () => memoryStore());
