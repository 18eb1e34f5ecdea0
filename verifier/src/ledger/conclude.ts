/** The end of every verification over whole trees: checkpoint, trust, report. */
import type { Audit, VerifyOptions } from '../audit.ts'
import { NOWHERE, type Problem, type Report } from '../report/report.ts'
import type { Tree } from './tree.ts'
import { verifyTrust } from './trust.ts'
import {
  type CheckedCheckpoint,
  summariseCheckpoint,
  verifyCheckpoint,
} from './verify-checkpoint.ts'

export type LogHead = {
  readonly checkpoint: string
  readonly tenant: string
  readonly epoch: number
}

/** `covers`: what the checkpoint must say about the tree. */
export function concludeTree(
  audit: Audit,
  tree: Tree,
  head: LogHead | undefined,
  covers: (checked: CheckedCheckpoint) => readonly Problem[],
  options: VerifyOptions,
): Report {
  const checked = head === undefined ? undefined : checkLogHead(audit, head)
  if (checked !== undefined) audit.findings.add(NOWHERE, [...checked.problems, ...covers(checked)])
  return concludeReport(audit, checked, tree, options)
}

export function checkLogHead(audit: Audit, head: LogHead): CheckedCheckpoint {
  const { checkpoint: note, tenant, epoch } = head
  const { crypto } = audit
  const { keys } = audit.ring
  const authoritySeq = audit.chains.authoritySeq()
  return verifyCheckpoint({ note, tenant, epoch, keys, authoritySeq, crypto })
}

export function concludeReport(
  audit: Audit,
  checked: CheckedCheckpoint | undefined,
  tree: Pick<Tree, 'rootAt' | 'size' | 'summary'>,
  { trust }: VerifyOptions,
): Report {
  const checkpoint = checked?.checkpoint ?? null
  const signers = checked?.signers ?? []
  const firstOperator = audit.ring.keys.firstOperator()
  const { rootAt } = tree
  const problems =
    trust === undefined ? [] : verifyTrust({ trust, firstOperator, signers, checkpoint, rootAt })
  audit.findings.add(NOWHERE, problems)
  const shared = audit.close()
  const ok = shared.findings.length === 0
  return {
    ok,
    strength: !ok ? null : trust === undefined ? 'self-consistent' : 'trusted',
    entries: tree.size(),
    unsettled: null,
    checkpoint: checkpoint === null ? null : summariseCheckpoint(checkpoint),
    tree: tree.summary(),
    ...shared,
  }
}
