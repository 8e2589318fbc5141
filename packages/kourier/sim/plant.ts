import type { DeliveryWorld } from '../src/courier/delivery/delivery-world.ts';
import type { World } from '../src/courier/world.ts';
import type { Disk } from './disk.ts';
import type { Setting } from './setting.ts';

/** A planted bug: exists here only, by wrapping what the courier sees or by spoiling what it stands on. */
export interface Plant {
  readonly world?: (world: World, setting: Setting) => World;
  readonly disk?: (disk: Disk) => void;
  readonly delivery?: (world: DeliveryWorld) => DeliveryWorld;
}
