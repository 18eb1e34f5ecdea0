/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { readAuthority, storeManifest } from './authority-cache.ts'
export {
  buildKeyRegistration,
  compromiseKey,
  type KeyRegistration,
  registerKey,
  retireKey,
} from './keys.ts'
export { listPersons, type ShownPerson } from './persons/list-persons.ts'
export { type CameBy, OF_PROVIDER } from './persons/person-behind.ts'
export { normaliseIdentity } from './persons/plain-identity.ts'
export type { Registered } from './persons/register-person.ts'
export { loadAgentBudgets } from './registry/agent-budgets.ts'
export { loadAgentDetail, readStateSince } from './registry/agent-detail.ts'
export {
  type AgentSummary,
  listAgentSummaries,
} from './registry/agent-summary.ts'
export { initialiseAuthority } from './registry/bootstrap.ts'
export { listContractVersions } from './registry/contract-versions.ts'
export type { Deployed } from './registry/deploy.ts'
export type { RegisteredSource } from './registry/fact-sources.ts'
export type { Handshake, HandshakeRequest } from './registry/handshake.ts'
export type { Spawned } from './registry/instances.ts'
export { writeManifestPage } from './registry/manifest-page.ts'
export { explainParentPassedOver } from './registry/parent-passed-over.ts'
export { computeRulesState, type RulesState } from './registry/record-rules.ts'
export { endSession } from './registry/sessions.ts'
export {
  findUnansweredAmong,
  findUnansweredInForce,
  formatUnansweredRule,
} from './registry/unanswered-rules.ts'
export { mayBegin } from './rules/held-standing.ts'
export { type Agreeing, formatRulesLines } from './rules/rules-lines.ts'
export { attenuateStoredWrit, issueWrit, listWrits } from './writs.ts'
