/** What travels: exported ledgers, bundles, evidence, and the forms of payloads. */
export {
  ARCHIVE_FORMAT,
  type ArchiveNote,
  findArchiveNoteProblem,
  isArchivable,
  type NoteTrust,
  parseArchiveNote,
} from './archive-note.ts'
export {
  BUNDLE_FORMAT,
  type Bundle,
  type BundleEntry,
  type BundleEvidence,
  parseBundle,
} from './bundle.ts'
export { hashEvidence } from './evidence.ts'
export { type ExportedEntry, parseExportedEntry } from './exported-entry.ts'
export { LEDGER_FORMAT, type LedgerHeader, parseLedgerHeader } from './ledger-header.ts'
export {
  type ManifestBody,
  type ManifestPage,
  parseManifestPage,
  readManifestEntries,
} from './manifest-page.ts'
export {
  isErasable,
  PAYLOAD_KINDS,
  type PayloadOf,
  parsePayload,
  type ReadPayload,
} from './payload-shape.ts'
export {
  buildStatementText,
  type DsseEnvelope,
  formatStatement,
  PROOF_PREDICATE,
  type ProvenDecision,
  STATEMENT_PAYLOAD,
  STATEMENT_TYPE,
} from './statement.ts'
