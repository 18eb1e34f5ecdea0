/** What whoever asks a runtime needs, in Node and in browsers; nothing of the runtime is in it. */

export {
  type AcceptedAnswer,
  type AgentAnswer,
  type AnswerCode,
  type EscalatedAnswer,
  type Execution,
  type ExhaustedAnswer,
  isRevisable,
  isWaiting,
  type RejectedAnswer,
  type RepeatedAnswer,
} from './agent/agent-answer.ts'
export type {
  ActNames,
  AgentAct,
  AgentConnection,
  ConnectionState,
  DocumentKept,
  FlowHandler,
  OwnDocument,
  SeenFact,
  StateKept,
  TimerSetting,
} from './agent/agent-connection.ts'
export { AgentError, ClientClockError, SafeModeError } from './agent/agent-error.ts'
export type {
  ActWait,
  AgentFlow,
  AgentProposal,
  AgentUsage,
  ChildOpening,
  ExplainResult,
  FlowOpening,
  InstanceOpening,
  ProposeWait,
  ProposeWithin,
  SettledWait,
  StepWait,
} from './agent/agent-flow.ts'
export {
  type AgentKey,
  createAgentKey,
  createSigning,
  parseAgentKey,
  type SignedHandshake,
  type SignedKey,
  type Signing,
  signHandshake,
  signKeyRegistration,
  signProposal,
  toAgentKey,
} from './agent-key.ts'
export type {
  AnyProblem,
  ClientAnswer,
  ClientCall,
  ClientOptions,
  ClientRequest,
  Expected,
  Headed,
  Sent,
} from './call.ts'
export { createCall } from './call.ts'
export {
  buildDecisionBody,
  type Decision,
  type DecisionBody,
  type DecisionWords,
  isSameIntention,
  type ShownModification,
  type ShownRequest,
} from './decision-body.ts'
export { type Client, createClient } from './generated.ts'
export {
  type ConnectOptions,
  connectAgent,
  type HttpAgentConnection,
} from './http/connect-agent.ts'
export type { McpConnection } from './http/mcp-connection.ts'
export type { AgentRuntime, RuntimeEngine, RuntimeFlow } from './in-process/agent-runtime.ts'
export { connectInProcess, createInProcessFlow } from './in-process/connect-in-process.ts'
export type {
  AgentModel,
  GenerateRequest,
  ModelCall,
  ModelMessage,
  ModelReply,
  ModelTokens,
  ModelTool,
} from './model/agent-model.ts'
export type { AgentRun, RunCall, RunEnd } from './model/agent-run.ts'
export {
  type DecodedProposal,
  type DecodeOptions,
  decodeProposal,
} from './model/decode-proposal.ts'
export {
  createFlowModel,
  type FlowGeneration,
  type FlowGenerator,
  type FlowReply,
} from './model/flow-model.ts'
export { MODEL_LIMITS } from './model/model-limits.ts'
export { type RunOptions, runAgent } from './model/run-agent.ts'
export { type ProofGround, proveIntent } from './prove-intent.ts'
export {
  buildSignedBytes,
  formatContentDigest,
  formatSignatureParams,
  type ProofTerms,
  type Provable,
} from './request-proof.ts'
export {
  type DecideOptions,
  RoaAgent,
  type RoaDecision,
  type RoaFeedback,
} from './roa/roa-agent.ts'
export { ContractViolation, checkProposal, EscalationRequired } from './roa/self-check.ts'
export {
  type AgentSession,
  createAgentHeaders,
  type ProofHeaders,
  type RequestToSign,
  signRequest,
} from './sign-request.ts'
