/** Where notifications of one task go, and what they carry so that the receiver lets them in (A2A 1.0, section 4.3.1). */
export interface Webhook {
  readonly taskId: string;
  /** Unique within the task. */
  readonly id: string;
  /** `https:`, or `http:` where the transport lets that out. */
  readonly url: string;
  /** Sent as `X-A2A-Notification-Token`. Secret. */
  readonly token?: string;
  /** The version of the protocol that notifications are written in; 1.0 unless given. */
  readonly version?: '0.3';
  /** Sent as `Authorization: scheme credentials`. The credentials are secret. */
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/**
 * A webhook as its owner reads it, in the JSON of A2A 1.0: without token and credentials. Who set them has them, and
 * where nobody is asked who he is, everybody reads this.
 */
export function printWebhook({ taskId, id, url, authentication }: Webhook): object {
  return {
    taskId,
    id,
    url,
    ...(authentication === undefined ? {} : { authentication: { scheme: authentication.scheme } }),
  };
}
