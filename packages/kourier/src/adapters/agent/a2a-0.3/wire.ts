import { ENCODER_0_3 } from '@agentkourier/a2a/v0.3/encode';
import type { Wire } from '../wire/wire.ts';

/** 0.3 servers read the X- name, newer ones of that version the other: both are sent (decision 10, case C116). */
export const WIRE_0_3: Wire = { encoder: ENCODER_0_3, extensionHeaders: ['a2a-extensions', 'x-a2a-extensions'] };
