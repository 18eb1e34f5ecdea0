/**
 * Erases what an ended flow said: an operator signs which payloads go, and they go in the same unit.
 *
 * 1. Every payload with a salt that the flow has is named, or nothing is erased (`flow_entries`).
 * 2. Entry, payloads, rows and records go together; a crash leaves all of it or none.
 * 3. It is answered once nothing of it is left in the files of the store that are its own to write.
 * 4. Afterwards nothing is written of the flow: late proposals are only counted, and whoever has something
 *    to say about it is guarded by `notErased`.
 * 5. The key that signs still counts when the unit is written: under one that had ended everything would be gone, and no
 *    verifier would take it for erased.
 */

import {
  assert,
  ERASURE,
  type ErasedPayload,
  type ErasurePayload,
  err,
  type Failure,
  isErasable,
  LIMITS,
  ok,
  PROTOCOL,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, LeafEntry, StoredEntry, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { CURSOR } from '../monitors/monitor-cursor.ts'
import { buildFlowArchivedFailure } from '../rows/archived-flow.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { toLateCounter } from '../rows/ended-flow.ts'
import { buildNotErasedGuard, toErasedCounter } from '../rows/erased-flow.ts'
import { finishErasure } from '../rows/finish-erasure.ts'
import { addTag, moveFlow } from '../rows/flow-row.ts'
import { signDocument } from '../rows/sign.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'
import { checkReason } from '../rows/unreasoned.ts'
import { readCommitLeaves } from './erased-leaves.ts'
import { forgetRecords } from './flow-records.ts'
import { findErasureFailure } from './refusal.ts'

export type EraseRequest = {
  readonly dfid: string
  readonly reason: string
  /** The person who has it signed, where there is one beside the key. */
  readonly by?: string
}

/** What goes, or went. */
export type Erasure = {
  readonly dfid: string
  readonly agent_id: string
  readonly payloads: readonly ErasedPayload[]
  /** Records that go or are emptied, by kind. */
  readonly records: Readonly<Record<string, number>>
  /** The seq of its entry in the trajectory `erasure`; null: it was only looked at. */
  readonly seq: number | null
}

type Plan = {
  readonly flow: FlowRow
  readonly payloads: readonly ErasedPayload[]
  readonly forgotten: Unit
  readonly entries: number
}

/** What would go. Nothing is written. */
export async function planErasure(
  context: Context,
  dfid: string,
): Promise<Result<Erasure, Failure>> {
  const plan = await loadErasurePlan(context, dfid)
  return plan.ok ? ok(describeErasure(plan.value, null)) : plan
}

export async function eraseFlow(
  context: Context,
  request: EraseRequest,
): Promise<Result<Erasure, Failure>> {
  const unsaid = checkReason(request.reason, 'an erasure')
  if (unsaid !== null) return err(unsaid)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const plan = await loadErasurePlan(context, request.dfid)
    if (!plan.ok) {
      // It may have been erased by a process that did not live to overwrite what was left.
      const left = plan.error.code === 'FLOW_ERASED' ? await finishErasure(context.store) : null
      return left === null ? plan : err(left)
    }
    const unit = await buildErasureUnit(context, plan.value, request)
    const outcome = await context.store.commit(unit)
    if (!outcome.ok) continue
    context.snapshots.forget(plan.value.flow.snapshot_id)
    const left = await finishErasure(context.store)
    if (left !== null) return err(left)
    return ok(describeErasure(plan.value, outcome.entries.at(-1)?.seq ?? null))
  }
  return err(buildContentionFailure('the flow'))
}

async function loadErasurePlan(context: Context, dfid: string): Promise<Result<Plan, Failure>> {
  const { store } = context
  const flow = await store.readFlow(dfid)
  if (flow === null) return err(buildFlowUnknownFailure(dfid, 'see `rubicon flows list`'))
  const refusal = await findErasureFailure(context, flow)
  if (refusal !== null) return err(refusal)
  await store.integrate()
  const entries = (await store.listFlowEntries(dfid)).filter(isPlaced)
  const erasable = entries.filter(({ envelope }) => isErasable(envelope.kind))
  // By its row it is in the store; whoever took it out has the words.
  if (erasable.some(({ payload }) => payload === null)) return err(buildFlowArchivedFailure(dfid))
  const payloads = await listErasedPayloads(context, erasable)
  const forgotten = await forgetRecords(context, flow, erasable)
  const inside = entries.filter(({ envelope }) => envelope.trajectory === flow.trajectory)
  return ok({ flow, payloads, forgotten, entries: inside.length })
}

async function buildErasureUnit(
  context: Context,
  { flow, payloads, forgotten, entries }: Plan,
  { dfid, reason, by }: EraseRequest,
): Promise<Unit> {
  const { store } = context
  const body: ErasurePayload['body'] = {
    dfid,
    reason,
    ...(by === undefined ? {} : { by }),
    payloads,
  }
  const { now, authority_seq } = await store.readNow(flow.trajectory)
  const { seq } = await context.authorities.loadCurrent(authority_seq)
  const signature = await signDocument(context, 'operator', 'erasure', body)
  const payload = toCanonicalText({ body, signature })
  const begun = (await store.listEntries(ERASURE, 0, 1)).length > 0
  const late = Math.max(0, LIMITS.lateProposals - (await store.readCounter(toLateCounter(dfid))))
  const tagged = moveFlow(flow, [], now, { tags: addTag(flow.tags, 'ERASED') })
  return {
    guards: [
      { kind: 'authority_seq', seq },
      { kind: 'flow_version', dfid, version: flow.version },
      { kind: 'flow_entries', dfid, trajectory: flow.trajectory, count: entries },
      buildNotErasedGuard(dfid),
      ...(begun ? [] : [{ kind: 'trajectory_absent', trajectory: ERASURE } as const]),
      ...forgotten.guards,
    ],
    writes: [
      ...(begun ? [] : [ROOT]),
      { kind: 'append', trajectory: ERASURE, entry: 'erasure', dfid, payload },
      { kind: 'put_flow', flow: tagged },
      { kind: 'erase_flow', dfid },
      { kind: 'count', id: toErasedCounter(dfid), by: 1 },
      // Proposals that still come are answered, and leave no words behind.
      { kind: 'count', id: toLateCounter(dfid), by: late },
      ...forgotten.writes,
    ],
  }
}

const ROOT: Write = {
  kind: 'append',
  trajectory: ERASURE,
  entry: 'root',
  payload: toCanonicalText({ protocol: PROTOCOL, created_by: 'rubicon' }),
}

async function listErasedPayloads(
  { store, sha256 }: Context,
  entries: readonly LeafEntry[],
): Promise<readonly ErasedPayload[]> {
  const commits = entries.filter(({ envelope }) => envelope.kind === 'commit')
  const [first] = commits
  const seqs = new Set(commits.map(({ envelope }) => envelope.seq))
  const worlds =
    first === undefined
      ? null
      : await readCommitLeaves(store, sha256, first.envelope.trajectory, seqs)
  return entries.map(({ envelope, leaf }) => {
    const { trajectory, seq, kind } = envelope
    if (kind !== 'commit') return { trajectory, seq, leaf }
    const world = worlds?.get(seq)
    assert(world !== undefined, 'every commit of the flow was folded')
    return { trajectory, seq, leaf, world }
  })
}

function isPlaced(entry: StoredEntry): entry is LeafEntry {
  return entry.leaf !== null
}

function describeErasure({ flow, payloads, forgotten }: Plan, seq: number | null): Erasure {
  const records: Record<string, number> = {}
  // That it was touched says nothing of the flow.
  for (const write of forgotten.writes)
    if ('record' in write && write.record !== CURSOR.record)
      records[write.record] = (records[write.record] ?? 0) + 1
  return { dfid: flow.dfid, agent_id: flow.agent_id, payloads, records, seq }
}
