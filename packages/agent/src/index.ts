export type { CallerKind, ForwardedTarget } from '@agentkourier/a2a/forwarded-identity';
export { type CardSigning, signCard } from '@agentkourier/a2a/sign-card';
export { type CardReport, validateCard } from '@agentkourier/a2a/validate-card';
export { type CardVerification, type SignatureVerdict, verifyCard } from '@agentkourier/a2a/verify-card';
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
export type { FollowOptions } from './client/follow-patience.ts';
export { type KeptArtifact, type KeptTask, textOfArtifacts } from './client/kept-task.ts';
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
export type { Dial, DialTarget, EgressPolicy, PublicEgress, VpcEgress } from './egress/egress-policy.ts';
export { type EgressCode, EgressRefused } from './egress/egress-refused.ts';
export type { Resolve } from './egress/find-addresses.ts';
export type { EgressLimits, GuardedFetchOptions } from './egress/guarded-call.ts';
export { type GuardedFetch, guardedFetch } from './egress/guarded-fetch.ts';
export {
  type GuardedAnswer,
  type GuardedRequest,
  type GuardedTransport,
  guardedTransport,
} from './egress/guarded-transport.ts';
export { readBoundedJson } from './egress/read-bounded-json.ts';
export { type GatewayCallersOptions, gatewayCallers, type InboundRefusal } from './inbound/gateway-callers.ts';
export type { InboundRequest, VerifiedCaller, VerifyInbound } from './inbound/inbound-call.ts';
export {
  AGENT_LIMITS,
  CLIENT_LIMITS,
  CLIENT_WAITS,
  EGRESS_LIMITS,
  INBOUND_LIMITS,
  PUSH_LIMITS,
  SPACE_CLIENT_LIMITS,
} from './limits.ts';
export { PushFailed } from './push/deliveries.ts';
export type { PushFetch, Wait } from './push/post-notice.ts';
export type { PushOptions } from './push/push-desk.ts';
export type { KeptWebhook, PushStore } from './push/push-store.ts';
export type { SigningKey } from './push/signing-key.ts';
export type { Webhook } from './push/webhook.ts';
export type { SpokenEvent } from './reasoning/said-texts.ts';
export { textStream, UnfinishedTurn } from './reasoning/text-stream.ts';
export type { TurnEnd } from './reasoning/turn-fold.ts';
export { type TypedEvent, typedStream } from './reasoning/typed-stream.ts';
export { AgentServer, type AgentServerOptions, type RequestHead } from './serve/agent-server.ts';
export type { ProtocolVersion } from './serve/dialect.ts';
export { type ServedAgent, type ServeOptions, serveAgent } from './serve/serve-agent.ts';
export type { Route, RouteBecause, RouteCandidate } from './space/read-route.ts';
export type { SpaceAddress } from './space/space-api.ts';
export {
  type Discover,
  type ListedAgent,
  type SpaceCall,
  type SpaceCallOptions,
  SpaceClient,
  type SpaceTask,
} from './space/space-client.ts';
export type { SpaceEnvironment } from './space/space-environment.ts';
export { SpaceError, type SpaceFailure } from './space/space-error.ts';
export { MemoryTaskStore } from './store/memory-task-store.ts';
export { PostgresTaskStore, type PostgresTaskStoreOptions } from './store/postgres/postgres-task-store.ts';
export type { RetentionOptions } from './store/sql/retention.ts';
export { SqliteStoreError } from './store/sqlite/sqlite-store-error.ts';
export { SqliteTaskStore, type SqliteTaskStoreOptions } from './store/sqlite/sqlite-task-store.ts';
export type { SharedTasks, TaskStore } from './store/task-store.ts';
