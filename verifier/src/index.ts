export type { VerifyOptions } from './audit.ts'
export type { AuditCrypto } from './crypto.ts'
export { createHelpedCrypto, type HelpedCrypto } from './helped-crypto.ts'
export { isLedgerLike } from './looks-like-ledger.ts'
export { createNodeCrypto, nodeCrypto } from './node-crypto.ts'
export { iterateLedgerLines, type LedgerSource } from './read-ledger.ts'
export type {
  CheckpointSummary,
  Depth,
  Finding,
  Fingerprint,
  Place,
  Problem,
  Report,
  TreeSummary,
} from './report.ts'
export { parseTrust, type Trust } from './trust.ts'
export { verifyAny } from './verify-any.ts'
export { verifyBundle } from './verify-bundle.ts'
export { verifyFile } from './verify-file.ts'
export { verifyLedgerText } from './verify-ledger.ts'
export {
  beginStored,
  type StoredCheck,
  type StoredOptions,
  verifyStored,
} from './verify-stored.ts'
