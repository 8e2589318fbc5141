export { AgentFailure, type FailureCategory } from './agent-failure.ts';
export { AGENT_LIMITS } from './limits.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve-agent.ts';
export type { AgentDefinition, AnswerTurn, CallPiece, Piece, ResultPiece, Skill, TextPiece, Turn } from './turn.ts';
