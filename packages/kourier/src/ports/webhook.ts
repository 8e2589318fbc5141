/** A request as it came, before anything is made of its body: a signature is over these very bytes. */
export interface WebhookRequest {
  /** Names in lower case; of one that came twice, all values, joined as HTTP joins them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** At most `Webhook.bodyBytes`. */
  readonly rawBody: Uint8Array;
}

export interface WebhookResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** May be empty. */
  readonly body: string;
}

/**
 * A place where a platform calls us. It knows its caller by a signature, so it may be called from anywhere, unlike the
 * rest of the interface. `receive` answers when what it was told is durable, and must not reject.
 */
export interface Webhook {
  /** `/slack/events`. POST alone. */
  readonly path: string;
  /** A longer body is answered 413, unread. */
  readonly bodyBytes: number;
  receive(request: WebhookRequest): Promise<WebhookResponse>;
}
