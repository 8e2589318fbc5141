import type { Json } from '../json.ts';

/** Where envelopes and request bodies go, whichever way they came. */
export interface Intake {
  /** `false`: not acknowledged, so that Slack brings it again. Never rejects. */
  event(payload: Json): Promise<boolean>;
  /** Never rejects. */
  interaction(payload: Json): Promise<InteractionAnswer>;
}

/** `taken` false: the person is shown that it did not work. `answer`: what a modal does next. */
export interface InteractionAnswer {
  readonly taken: boolean;
  readonly answer?: Json;
}
