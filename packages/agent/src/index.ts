export { AgentFailure, type FailureCategory } from './agent-failure.ts';
export type { AgentStream } from './client/agent-stream.ts';
export type { Binding, Preference } from './client/choose-interface.ts';
export { Client, type TaskList } from './client/client.ts';
export type { ClientClock } from './client/client-clock.ts';
export {
  AgentError,
  CardError,
  ClientError,
  CredentialsError,
  type Delivery,
  TransportError,
  UnsupportedError,
} from './client/client-error.ts';
export type {
  CallSettings,
  ClientOptions,
  FollowSettings,
  SendOptions,
  StreamSettings,
} from './client/client-options.ts';
export type { Credential, Credentials, TokenAsk, TokenProvider } from './client/credential.ts';
export type { FollowOptions } from './client/follow.ts';
export type { KeptArtifact, KeptTask } from './client/kept-task.ts';
export type { MessageToSend, PartToSend } from './client/message-to-send.ts';
export type {
  FinishedMessage,
  FinishedTask,
  Paused,
  Running,
  SendResult,
  StreamResult,
  TransportFailure,
} from './client/outcome.ts';
export { AGENT_LIMITS, CLIENT_LIMITS, CLIENT_WAITS } from './limits.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve-agent.ts';
export type { AgentDefinition, AnswerTurn, CallPiece, Piece, ResultPiece, Skill, TextPiece, Turn } from './turn.ts';
