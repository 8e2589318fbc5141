import type { Configuration } from '../../../ports/registry.ts';
import { type FileRegistry, type FileRegistryOptions, fileRegistry } from './file-registry.ts';
import { COURIER } from './read-configuration.ts';
import { readProduct } from './read-product.ts';

/** The port `Registry` over files. Throws `ConfigurationRefused`. */
export function courierRegistry(options: FileRegistryOptions): Promise<FileRegistry<Configuration>> {
  return fileRegistry(options, readProduct(COURIER));
}
