import { registryContract } from '../../../../contract/registry.ts';
import { courierRegistry } from './courier-registry.ts';
import { registryInFolder } from './fixtures/registry-in-folder.ts';

registryContract('file', (t, documents) => registryInFolder(t, documents, courierRegistry));
