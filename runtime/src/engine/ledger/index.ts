/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { logVerifierKey } from './checkpoint.ts'
export { checkRows } from './divergence/check-rows.ts'
export {
  createFactsReader,
  type EntryFacts,
  type FactsReader,
  parseEntryCode,
  parseNamedAgent,
} from './find/entry-facts.ts'
export { type EntryFilter, findEntries } from './find/find-entries.ts'
export { FlowAgents } from './find/flow-agents.ts'
export { ID_DIGITS } from './find/leaf-block.ts'
export { readLeafPage } from './leaf-page.ts'
export { findDamage, openLedger } from './open-ledger.ts'
export { findRollback, toRollbackFailure } from './rollback.ts'
