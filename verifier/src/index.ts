export type { VerifyOptions } from './audit.ts'
export type { AuditCrypto } from './crypto/crypto.ts'
export { createHelpedCrypto, type HelpedCrypto } from './crypto/helped-crypto.ts'
export { createNodeCrypto, nodeCrypto } from './crypto/node-crypto.ts'
export { parseTrust, type Trust } from './ledger/trust.ts'
export { isLedgerLike } from './reading/looks-like-ledger.ts'
export { iterateLedgerLines, type LedgerSource } from './reading/read-ledger.ts'
export type {
  CheckpointSummary,
  Depth,
  Finding,
  Fingerprint,
  Place,
  Problem,
  Report,
  TreeSummary,
} from './report/report.ts'
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
