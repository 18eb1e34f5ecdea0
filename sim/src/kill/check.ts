/** After the last restart: is everything that was told still there, and is the ledger in order? */
import {
  type ApprovalPayload,
  AUTHORITY,
  type CarryOutPayload,
  type DispatchPayload,
  REASON_CODES,
  type RejectionPayload,
  type SettlePayload,
} from 'rubicon-kernel'
import { openSqliteStore } from '../../../runtime/src/adapters/sqlite/store.ts'
import { verifyNow } from '../../../runtime/src/adapters/system/ed25519.ts'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import type { StoredEntry } from '../../../runtime/src/ports/store.ts'
import { NOTHING_WATCHED } from '../audit/drift.ts'
import type { Violation } from '../audit/report.ts'
import { Auditor } from '../auditor.ts'
import { openWork } from './open-work.ts'
import type { DecisionTold, Told } from './protocol.ts'

export type Checked = {
  /** What was told and is not in the ledger, or says something else there. */
  readonly lost: readonly string[]
  /** What the auditor finds in the ledger as it stands. */
  readonly findings: readonly Violation[]
  readonly entries: number
  readonly unsettled: number
}

const PAGE = 1000

export async function checkStore(
  path: string,
  told: readonly (Told | DecisionTold)[],
): Promise<Checked> {
  const store = await openSqliteStore({
    path,
    tenant: 'default',
    sha256,
    clock: Date.now,
    mode: 'read',
  })
  const auditor = new Auditor({
    codes: new Set(REASON_CODES),
    recompile: null,
    // Nobody asks for atoms there.
    readAgain: () => 'nothing, for want of its rules',
    getMs: () => 0,
    verify: verifyNow,
    thorough: true,
    shared: false,
    outside: NOTHING_WATCHED,
    carried: false,
    artifacts: null,
  })
  const ledger = new Map<string, StoredEntry>()
  const committed = new Set<string>()
  const abandoned = new Map<string, string>()
  const decisions = new Set<string>()
  for (let from = 0; ; ) {
    const page = await store.listLeaves(from, PAGE)
    for (const entry of page) {
      ledger.set(`${entry.envelope.trajectory}/${entry.envelope.seq}`, entry)
      if (entry.envelope.kind === 'commit' && entry.payload !== null)
        committed.add((JSON.parse(entry.payload) as { intent_id: string }).intent_id)
      if (entry.envelope.kind === 'approval' && entry.payload !== null)
        decisions.add(formatApproval(JSON.parse(entry.payload) as ApprovalPayload))
      if (entry.envelope.kind !== 'settle' || entry.payload === null) continue
      const { intent_id, status, reason_code } = JSON.parse(entry.payload) as SettlePayload
      if (status === 'ABANDONED') abandoned.set(intent_id, reason_code)
    }
    auditor.auditEntries(page)
    from += page.length
    if (page.length < PAGE) break
  }
  const outcomes = { ledger, committed, abandoned }
  const lost = told.flatMap((line) => {
    if (line.said === 'told') return findToldProblem(line, outcomes) ?? []
    const name = `${line.word} of ${line.request} by ${line.approver}`
    return decisions.has(name) ? [] : [`${name} is gone`]
  })
  const unsettled = await openWork(store)
  const checkpoint = await store.readCheckpoint()
  if (checkpoint !== null) auditor.chains.auditCheckpoint(checkpoint.note)
  if ((await store.listEntries(AUTHORITY, 0, 1)).length === 0) auditor.report('I3', 'no authority')
  await store.close()
  return { lost, findings: auditor.violations, entries: ledger.size, unsettled }
}

function formatApproval({ body: { decision, request_id, approver } }: ApprovalPayload): string {
  return `${decision} of ${request_id} by ${approver}`
}

type Outcomes = {
  readonly ledger: ReadonlyMap<string, StoredEntry>
  readonly committed: ReadonlySet<string>
  /** Intent → why it was given back. */
  readonly abandoned: ReadonlyMap<string, string>
}

function findToldProblem(
  { outcome, trace_id, dfid, status, reason_code }: Told,
  { ledger, committed, abandoned }: Outcomes,
): string | null {
  if (trace_id === '') return null
  const entry = ledger.get(trace_id)
  if (entry === undefined || entry.envelope.dfid !== dfid) return `${outcome} ${trace_id} is gone`
  const payload = JSON.parse(entry.payload ?? '{}') as Partial<
    DispatchPayload & CarryOutPayload & RejectionPayload
  >
  const intentId = payload.intent?.intent_id ?? payload.intent_id
  if (outcome === 'ACCEPTED' || outcome === 'REPEATED') {
    if (intentId === undefined) return `${trace_id} holds no intent`
    if (status === 'SUCCESS' && !committed.has(intentId)) return `${trace_id} has no commit`
    return null
  }
  if (outcome === 'ESCALATED')
    return entry.envelope.kind === 'pending_approval' ? null : `${trace_id} asks nobody`
  // It was accepted, and given back for this.
  if (entry.envelope.kind === 'accepted')
    return abandoned.get(intentId ?? '') === reason_code ? null : `${trace_id} was not given back`
  const { ended_flow } = payload
  const said =
    ended_flow === undefined || ended_flow === 'AUTHORITY_REVOKED'
      ? payload.reason_code
      : ended_flow
  return said === reason_code ? null : `${trace_id} says ${said}, not ${reason_code}`
}
