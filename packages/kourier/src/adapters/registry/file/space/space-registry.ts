import type { SpaceConfiguration } from '../../../../ports/space/space-configuration.ts';
import { type FileRegistry, type FileRegistryOptions, fileRegistry } from '../file-registry.ts';
import { readProduct } from '../read-product.ts';
import { SPACE_GATEWAY } from './read-space-configuration.ts';

/** The port `SpaceRegistry` over files. Throws `ConfigurationRefused`. */
export function spaceRegistry(options: FileRegistryOptions): Promise<FileRegistry<SpaceConfiguration>> {
  return fileRegistry(options, readProduct(SPACE_GATEWAY));
}
