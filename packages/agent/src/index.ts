export { type CardSigning, signCard } from '@agentkourier/a2a/sign-card';
export { type CardReport, validateCard } from '@agentkourier/a2a/validate-card';
export { type CardVerification, type SignatureVerdict, verifyCard } from '@agentkourier/a2a/verify-card';
export { AgentFailure, type FailureCategory } from './agent-failure.ts';
export { AGENT_LIMITS } from './limits.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve-agent.ts';
export type { AgentDefinition, AnswerTurn, CallPiece, Piece, ResultPiece, Skill, TextPiece, Turn } from './turn.ts';
