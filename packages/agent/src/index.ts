export { AgentBuilder, type AgentDescription } from './agent/agent-builder.ts';
export { agentCard, type CardOptions } from './agent/agent-card.ts';
export { AgentFailure, type FailureCategory } from './agent/agent-failure.ts';
export type { Caller, Decision, Question, ToolCall } from './agent/interrupts.ts';
export type {
  ArtifactPiece,
  CallPiece,
  MessagePart,
  PartPiece,
  Piece,
  ReasoningPiece,
  ResultPiece,
  TextPiece,
} from './agent/pieces.ts';
export type { AgentDefinition, AgentSkill, AnswerTurn, Skill, Turn } from './agent/turn.ts';
export { AGENT_LIMITS } from './limits.ts';
export { AgentServer, type AgentServerOptions, type RequestHead } from './serve/agent-server.ts';
export type { ProtocolVersion } from './serve/dialect.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve/serve-agent.ts';
export { MemoryTaskStore } from './store/memory-task-store.ts';
export type { TaskStore } from './store/task-store.ts';
