import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookRequest } from '../../../../ports/webhook.ts';
import { HEARING } from '../hearing-limits.ts';

export type Signature = 'good' | 'missing' | 'stale' | 'forged';

/** Whether Slack sent this, lately: HMAC-SHA256 of `v0:TIMESTAMP:BODY` (slack.md 1.1), compared in constant time. */
export function checkSignature({ headers, rawBody }: WebhookRequest, secret: string, nowMs: number): Signature {
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  const given = headers['x-slack-signature'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(given)) return 'missing';
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(rawBody).digest('hex');
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(`v0=${digest}`))) return 'forged';
  return Math.abs(nowMs - Number(timestamp) * 1_000) <= HEARING.signatureMs ? 'good' : 'stale';
}
