/** The verifier for a browser: the same checks, nothing of Node, and none of the network. */
export type { VerifyOptions } from './audit.ts'
export { createBrowserCrypto } from './browser-crypto.ts'
export type { AuditCrypto } from './crypto.ts'
export { BUNDLE_LIMITS } from './limits.ts'
export { isLedgerLike } from './looks-like-ledger.ts'
export { createLineSplitter, type Line, type LineSplitter } from './read-ledger.ts'
export type {
  CheckpointSummary,
  Finding,
  Fingerprint,
  Place,
  Problem,
  Report,
  TreeSummary,
} from './report.ts'
export { parseTrust, type Trust } from './trust.ts'
export { verifyAny } from './verify-any.ts'
export { beginLedger, type LedgerCheck } from './verify-ledger.ts'
