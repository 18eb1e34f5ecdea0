/**
 * Verifies an exported ledger: one file in, a report out.
 *
 * Every line is checked, whatever was found before it; then the keys, the checkpoint and what the
 * auditor trusts. The order is the one of `docs/spec/ledger.md`, "Verification".
 */
import { type LedgerHeader, parseCheckpoint, parseNote } from 'rubicon-kernel'
import { type Audit, createAudit, isSkimmed, PROGRESS_EVERY, type VerifyOptions } from './audit.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { concludeTree } from './ledger/conclude.ts'
import { createTree, getTrustedSize, type Tree } from './ledger/tree.ts'
import { type CheckedCheckpoint, findTreeProblems } from './ledger/verify-checkpoint.ts'
import { cutLine, readLine, toPlace } from './reading/read-entry.ts'
import {
  iterateLedgerLines,
  type LedgerSource,
  type Line,
  readHeader,
} from './reading/read-ledger.ts'
import { NOWHERE, type Place, type Problem, type Report } from './report/report.ts'

/** Verifies a ledger that is in memory. */
export function verifyLedgerText(
  source: LedgerSource,
  crypto: AuditCrypto,
  options: VerifyOptions = {},
): Report {
  const check = beginLedger(crypto, options)
  for (const line of iterateLedgerLines(source)) check.push(line)
  return check.end()
}

/** A verification that is fed with lines as they come, the header first. */
export type LedgerCheck = {
  readonly push: (line: Line) => void
  /** How much was found until now. */
  readonly found: () => number
  readonly end: () => Report
}

export function beginLedger(crypto: AuditCrypto, options: VerifyOptions = {}): LedgerCheck {
  const tree = createTree(crypto.sha256, getTrustedSize(options.trust))
  const begin = (line: Line | undefined): Begun => {
    const header = readHeader(line)
    const head = header.ok ? header.value : undefined
    const audit = createAudit(head?.tenant, crypto, options, true)
    if (!header.ok) audit.findings.add(NOWHERE, [header.error])
    return { audit, head, total: head === undefined ? null : parseCoveredSize(head) }
  }
  let begun: Begun | undefined

  const push = (line: Line): void => {
    if (begun === undefined) {
      begun = begin(line)
      return
    }
    checkLine(begun.audit, tree, line, options)
    if (tree.size() % PROGRESS_EVERY === 0) options.onProgress?.(tree.size(), begun.total)
  }

  const end = (): Report => {
    const { audit, head, total } = begun ?? begin(undefined)
    if (head !== undefined) audit.compareKeys(head.keys)
    const findCoverProblems = (checked: CheckedCheckpoint): readonly Problem[] => [
      ...coverProblems(checked, tree),
      ...findEpochProblems(head, audit.authority.epoch()),
    ]
    options.onProgress?.(tree.size(), total)
    return concludeTree(audit, tree, head, findCoverProblems, options)
  }

  return { push, found: () => begun?.audit.findings.count() ?? 0, end }
}

type Begun = {
  readonly audit: Audit
  readonly head: LedgerHeader | undefined
  readonly total: number | null
}

function checkLine(audit: Audit, tree: Tree, line: Line, { depth }: VerifyOptions): void {
  const leaf = tree.size()
  const cut = depth === 'structure' ? cutLine(line, leaf)?.entry : undefined
  // What the hashes do not say is found by reading it.
  if (cut !== undefined && isSkimmed(cut.envelope, cut.payloadText) && audit.isSound(cut)) {
    audit.skim(cut, [])
    tree.append(cut.id)
    return
  }
  const { entry, problems } = readLine(line, leaf)
  const place: Place = entry === undefined ? { ...NOWHERE, leaf } : toPlace(entry)
  audit.findings.add(place, problems)
  if (entry !== undefined) audit.check(entry)
  tree.append(entry?.id ?? null)
}

function parseCoveredSize({ checkpoint }: LedgerHeader): number | null {
  const note = parseNote(checkpoint)
  return (note.ok ? parseCheckpoint(note.value.body)?.size : undefined) ?? null
}

function coverProblems({ checkpoint }: CheckedCheckpoint, tree: Tree): readonly Problem[] {
  return checkpoint === null ? [] : findTreeProblems(checkpoint, tree.size(), tree.root())
}

/** A restored log goes on under another epoch; one that hides its restore would be two logs. */
function findEpochProblems(head: LedgerHeader | undefined, reached: number): readonly Problem[] {
  if (head === undefined || head.epoch === reached) return []
  const detail = `the epoch is ${head.epoch}, and the anchors lead to ${reached}`
  return [{ code: 'CHECKPOINT_UNREADABLE', detail }]
}
