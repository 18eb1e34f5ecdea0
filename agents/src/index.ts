/** What whoever asks a runtime needs, in Node and in browsers; nothing of the runtime is in it. */
export {
  type AgentKey,
  createAgentKey,
  createSigning,
  type SignedHandshake,
  type SignedKey,
  type Signing,
  signHandshake,
  signKeyRegistration,
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
  buildSignedBytes,
  formatContentDigest,
  formatSignatureParams,
  type ProofTerms,
  type Provable,
} from './request-proof.ts'
export {
  type AgentSession,
  createAgentHeaders,
  type ProofHeaders,
  type RequestToSign,
  signRequest,
} from './sign-request.ts'
