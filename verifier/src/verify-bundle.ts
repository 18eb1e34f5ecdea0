/**
 * Verifies the bundle of one flow: its entries, each against the signed root of the log.
 *
 * A bundle is a selection. It proves that what it shows stands in the log, signed and in order; of what it
 * leaves out only the opening of its flows and the authority before them are missed (`verify-omissions.ts`),
 * which is why the World is not folded here.
 */
import {
  type Bundle,
  type BundleEntry,
  type Checkpoint,
  decodeBase64,
  hashLeaf,
  parseBundle,
  parseJson,
  type Sha256,
  toCanonicalText,
  toLeafInput,
  verifyInclusion,
} from 'rubicon-kernel'
import { type Audit, createAudit, PROGRESS_EVERY, type VerifyOptions } from './audit.ts'
import { findEvidenceProblems, findStrangerProblems } from './bundle/verify-flow.ts'
import { countUnsettled, findOmissionProblems } from './bundle/verify-omissions.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { checkLogHead, concludeReport } from './ledger/conclude.ts'
import { BUNDLE_LIMITS } from './reading/limits.ts'
import { type ReadEntry, readExported, toPlace } from './reading/read-entry.ts'
import type { LedgerSource } from './reading/read-ledger.ts'
import { NOWHERE, type Place, type Problem, type Report } from './report/report.ts'

/** Verifies a bundle: a selection of entries that proves one flow. */
export function verifyBundle(
  source: LedgerSource,
  crypto: AuditCrypto,
  options: VerifyOptions = {},
): Report {
  const { bundle, problems } = readBundle(source)
  const audit = createAudit(bundle?.tenant, crypto, options, false)
  audit.findings.add(NOWHERE, problems)
  if (bundle === undefined) return concludeReport(audit, undefined, createNoTree(0, null), options)

  const entries = checkEntries(audit, bundle, options)
  audit.compareKeys(bundle.keys)
  const checked = checkLogHead(audit, bundle)
  audit.findings.add(NOWHERE, checked.problems)
  checkInclusion(audit, bundle, checked.checkpoint, crypto.sha256)
  audit.findings.add(NOWHERE, findEvidenceProblems(bundle, entries, crypto.sha256))
  const report = concludeReport(
    audit,
    checked,
    createNoTree(entries.length, checked.checkpoint),
    options,
  )
  return { ...report, unsettled: countUnsettled(entries) }
}

type BundleReading = {
  readonly bundle: Bundle | undefined
  readonly problems: readonly Problem[]
}

/** One LF may follow the document, as editors and shells leave it. */
function readBundle(source: LedgerSource): BundleReading {
  const value = parseJson(source, BUNDLE_LIMITS)
  if (!value.ok) return toUnreadableBundle(value.error.detail)
  const bundle = parseBundle(value.value)
  if (!bundle.ok) return toUnreadableBundle(bundle.error)
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source)
  const canonical = toCanonicalText(value.value)
  const isCanonical = text === canonical || text === `${canonical}\n`
  const detail = 'the bundle is not in canonical form'
  return {
    bundle: bundle.value,
    problems: isCanonical ? [] : [{ code: 'ENTRY_NOT_CANONICAL', detail }],
  }
}

function toUnreadableBundle(detail: string): BundleReading {
  return { bundle: undefined, problems: [{ code: 'ENTRY_UNREADABLE', detail }] }
}

function checkEntries(
  audit: Audit,
  bundle: Bundle,
  { onProgress }: VerifyOptions,
): readonly ReadEntry[] {
  const read: ReadEntry[] = []
  let last = -1
  for (const exported of bundle.entries) {
    const { entry, problems } = readExported(exported, exported.leaf)
    const place = toPlace(entry)
    audit.findings.add(place, problems)
    if (entry.leaf <= last) audit.findings.add(place, [order(entry.leaf, last)])
    last = Math.max(last, entry.leaf)
    audit.check(entry)
    read.push(entry)
    if (read.length % PROGRESS_EVERY === 0) onProgress?.(read.length, bundle.entries.length)
  }
  const { dfid } = bundle
  const selection = [...findStrangerProblems(dfid, read), ...findOmissionProblems(dfid, read)]
  for (const { place, problem } of selection) audit.findings.add(place, [problem])
  onProgress?.(read.length, bundle.entries.length)
  return read
}

function order(leaf: number, last: number): Problem {
  return { code: 'ENTRY_SEQUENCE', detail: `leaf ${leaf} follows leaf ${last}` }
}

function checkInclusion(
  audit: Audit,
  { entries }: Bundle,
  checkpoint: Checkpoint | null,
  sha256: Sha256,
): void {
  if (checkpoint === null) return
  for (const entry of entries) {
    if (isIncluded(entry, checkpoint, sha256)) continue
    const { trajectory, seq } = entry.envelope
    const place: Place = { leaf: entry.leaf, trajectory, seq }
    const detail = 'the proof does not lead to the root of the checkpoint'
    audit.findings.add(place, [{ code: 'INCLUSION_PROOF', detail }])
  }
}

function isIncluded(
  { id, leaf, proof }: BundleEntry,
  { size, root }: Checkpoint,
  sha256: Sha256,
): boolean {
  const hashes = proof.map((text) => decodeBase64(text) ?? new Uint8Array(0))
  const claim = {
    leafIndex: leaf,
    treeSize: size,
    leafHash: hashLeaf(toLeafInput(id), sha256),
    proof: hashes,
    root,
  }
  return verifyInclusion(claim, sha256)
}

/** A trusted checkpoint can only be the bundle's own: there are no entries to compute another. */
function createNoTree(
  size: number,
  checkpoint: Checkpoint | null,
): Parameters<typeof concludeReport>[2] {
  return {
    size: () => size,
    rootAt: (wanted) => (checkpoint?.size === wanted ? checkpoint.root : undefined),
    summary: () => null,
  }
}
