import { createHmac, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../../core/limits.ts';

export interface Signed {
  readonly timestamp: string;
  readonly signature: string;
}

export const TIMESTAMP_HEADER = 'x-kourier-timestamp';
export const SIGNATURE_HEADER = 'x-kourier-signature';

/** The headers of a signed call, if they have their form and their time is now: all that can be known without its body. */
export function readSigned(timestamp: string, signature: string, nowMs: number): Signed | 'missing' | 'stale' {
  if (!/^\d{1,12}$/.test(timestamp) || !/^v1=[0-9a-f]{64}$/.test(signature)) return 'missing';
  const agoMs = Math.abs(nowMs - Number(timestamp) * 1_000);
  return agoMs <= LIMITS.hookSignatureMs ? { timestamp, signature } : 'stale';
}

/** HMAC-SHA256 of `v1:TIMESTAMP:` and the body's bytes, in hex, compared in constant time. */
export function isGenuine({ timestamp, signature }: Signed, body: Uint8Array, secret: string): boolean {
  return timingSafeEqual(Buffer.from(signature), Buffer.from(hookSignature(timestamp, body, secret)));
}

export function hookSignature(timestamp: string, body: Uint8Array | string, secret: string): string {
  return `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:`).update(body).digest('hex')}`;
}
