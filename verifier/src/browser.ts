/** The verifier for a browser: the same checks, nothing of Node, and none of the network. */
export type { VerifyOptions } from './audit.ts'
export { createBrowserCrypto } from './crypto/browser-crypto.ts'
export type { AuditCrypto } from './crypto/crypto.ts'
export { parseTrust, type Trust } from './ledger/trust.ts'
export { BUNDLE_LIMITS } from './reading/limits.ts'
export { isLedgerLike } from './reading/looks-like-ledger.ts'
export { createLineSplitter, type Line, type LineSplitter } from './reading/read-ledger.ts'
export type {
  CheckpointSummary,
  Finding,
  Fingerprint,
  Place,
  Problem,
  Report,
  TreeSummary,
} from './report/report.ts'
export { verifyAny } from './verify-any.ts'
export { beginLedger, type LedgerCheck } from './verify-ledger.ts'
