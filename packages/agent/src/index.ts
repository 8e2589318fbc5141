export { AgentFailure, type FailureCategory } from './agent-failure.ts';
export { AGENT_LIMITS } from './limits.ts';
export type { SpokenEvent } from './reasoning/said-texts.ts';
export { textStream, UnfinishedTurn } from './reasoning/text-stream.ts';
export type { TurnEnd } from './reasoning/turn-fold.ts';
export { type TypedEvent, typedStream } from './reasoning/typed-stream.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve-agent.ts';
export type { AgentDefinition, AnswerTurn, CallPiece, Piece, ResultPiece, Skill, TextPiece, Turn } from './turn.ts';
