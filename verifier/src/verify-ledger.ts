/**
 * Verifies an exported ledger: one file in, a report out.
 *
 * Every line is checked, whatever was found before it; then the keys, the checkpoint and what the
 * auditor trusts. The order is the one of `docs/spec/ledger.md`, "Verification".
 */
import type { LedgerHeader } from 'rubicon-kernel'
import { createAudit, type VerifyOptions } from './audit.ts'
import { concludeTree } from './conclude.ts'
import type { AuditCrypto } from './crypto.ts'
import { placeOf, readLine } from './read-entry.ts'
import { type LedgerSource, ledgerLines, readHeader } from './read-ledger.ts'
import { NOWHERE, type Place, type Problem, type Report } from './report.ts'
import { createTree, type Tree, trustedSize } from './tree.ts'
import { type CheckedCheckpoint, treeProblems } from './verify-checkpoint.ts'

export function verifyLedgerText(
  source: LedgerSource,
  crypto: AuditCrypto,
  options: VerifyOptions = {},
): Report {
  const lines = ledgerLines(source)
  const first = lines.next()
  const header = readHeader(first.done ? undefined : first.value)
  const head = header.ok ? header.value : undefined
  const audit = createAudit(head?.tenant, crypto, options, true)
  const tree = createTree(crypto.sha256, trustedSize(options.trust))
  if (!header.ok) audit.findings.add(NOWHERE, [header.error])

  for (const line of lines) {
    const leaf = tree.size()
    const { entry, problems } = readLine(line, leaf)
    const place: Place = entry === undefined ? { ...NOWHERE, leaf } : placeOf(entry)
    audit.findings.add(place, problems)
    if (entry !== undefined) audit.check(entry)
    tree.append(entry?.id ?? null)
  }

  if (head !== undefined) audit.compareKeys(head.keys)
  const covers = (checked: CheckedCheckpoint): readonly Problem[] => [
    ...coverProblems(checked, tree),
    ...epochProblems(head, audit.authority.epoch()),
  ]
  return concludeTree(audit, tree, head, covers, options)
}

function coverProblems({ checkpoint }: CheckedCheckpoint, tree: Tree): readonly Problem[] {
  return checkpoint === null ? [] : treeProblems(checkpoint, tree.size(), tree.root())
}

/** A restored log goes on under another epoch; one that hides its restore would be two logs. */
function epochProblems(head: LedgerHeader | undefined, reached: number): readonly Problem[] {
  if (head === undefined || head.epoch === reached) return []
  const detail = `the epoch is ${head.epoch}, the anchors say ${reached}`
  return [{ code: 'CHECKPOINT_UNREADABLE', detail }]
}
