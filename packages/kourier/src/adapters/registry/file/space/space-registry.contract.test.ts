import { spaceRegistryContract } from '../../../../../contract/space-registry.ts';
import { registryInFolder } from '../fixtures/registry-in-folder.ts';
import { spaceRegistry } from './space-registry.ts';

spaceRegistryContract('file', (t, documents) => registryInFolder(t, documents, spaceRegistry));
