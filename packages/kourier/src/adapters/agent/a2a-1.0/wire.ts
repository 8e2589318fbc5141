import { ENCODER_1_0 } from '@agentkourier/a2a/v1.0/encode';
import type { Wire } from '../wire/wire.ts';

export const WIRE_1_0: Wire = { encoder: ENCODER_1_0, extensionHeaders: ENCODER_1_0.extensionHeaders };
