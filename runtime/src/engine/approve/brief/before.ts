/** What people decided about requests like this one, and how long they took to. */
import { formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'
import type { Escalation } from '../../rows/stored-escalation.ts'

const OUTCOMES = ['overridden', 'modified', 'aborted', 'expired'] as const
type Outcome = (typeof OUTCOMES)[number]

/** Of the latest of the same agent and kind, within 30 days. */
export type DecidedBefore = Readonly<Record<Outcome, number>> & {
  readonly median_ms: number | null
}

export async function loadDecidedBefore(
  store: Store,
  { agent_id, id }: Escalation['request'],
  kind: string | null,
  now: string,
): Promise<DecidedBefore> {
  const since = formatInstant((parseInstant(now) ?? 0) - LIMITS.decisionsBeforeMs)
  const limit = LIMITS.memoryKept
  const memory = await store.listRecords('memory', agent_id, { newest: true, limit })
  const ids = memory
    .map(({ body }) => body)
    .filter((one) => one.outcome === 'ESCALATED' && one.policy_kind === kind && one.at >= since)
    .map(({ dfid, attempt }) => `${dfid}:${attempt}`)
    .filter((other) => other !== id)
    .slice(0, LIMITS.decisionsBefore)
  const found = await Promise.all(ids.map((one) => store.readRecord('escalation', 'closed', one)))
  return countOutcomes(found.flatMap((stored) => (stored === null ? [] : [stored.body])))
}

function countOutcomes(closed: readonly Escalation[]): DecidedBefore {
  const counts: Record<Outcome, number> = { overridden: 0, modified: 0, aborted: 0, expired: 0 }
  const took: number[] = []
  for (const { request, approval, ended } of closed) {
    const outcome = toOutcome(approval, ended)
    if (outcome === null) continue
    counts[outcome] += 1
    const at = parseInstant(approval?.decided_at ?? ended?.at ?? '')
    const asked = parseInstant(request.requested_at)
    if (outcome !== 'expired' && at !== undefined && asked !== undefined) took.push(at - asked)
  }
  return { ...counts, median_ms: computeMedian(took) }
}

/** Null: nobody decided it, and it did not expire either. */
function toOutcome(approval: Escalation['approval'], ended: Escalation['ended']): Outcome | null {
  if (approval !== null) return approval.decision === 'OVERRIDE' ? 'overridden' : 'modified'
  if (ended?.as === 'aborted' || ended?.as === 'expired') return ended.as
  return null
}

function computeMedian(numbers: readonly number[]): number | null {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}
