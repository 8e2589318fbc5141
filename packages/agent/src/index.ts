export { AgentFailure, type FailureCategory } from './agent-failure.ts';
export type { Dial, DialTarget, EgressPolicy, PublicEgress, VpcEgress } from './egress/egress-policy.ts';
export { type EgressCode, EgressRefused } from './egress/egress-refused.ts';
export type { Resolve } from './egress/find-addresses.ts';
export {
  type EgressLimits,
  type GuardedFetch,
  type GuardedFetchOptions,
  guardedFetch,
} from './egress/guarded-fetch.ts';
export { readBoundedJson } from './egress/read-bounded-json.ts';
export { AGENT_LIMITS, EGRESS_LIMITS } from './limits.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve-agent.ts';
export type { AgentDefinition, AnswerTurn, CallPiece, Piece, ResultPiece, Skill, TextPiece, Turn } from './turn.ts';
