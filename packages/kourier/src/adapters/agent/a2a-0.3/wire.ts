import { ENCODER_0_3 } from '@agentkourier/a2a/v0.3/encode';
import type { Wire } from '../wire/wire.ts';

export const WIRE_0_3: Wire = { encoder: ENCODER_0_3, extensionHeaders: ENCODER_0_3.extensionHeaders };
