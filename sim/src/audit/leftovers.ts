/**
 * I7, for what the engine keeps beside the ledger: when the faults have stopped and all is settled,
 * nothing is held, waited for or kept that nobody needs any more. And I11: half a job that was not put
 * right is with a person who was told.
 */
import type { SagaPayload } from 'rubicon-kernel'
import type { Notice } from '../../../runtime/src/ports/notifier.ts'
import type { RecordBodies } from '../../../runtime/src/ports/record.ts'
import type { Report } from './report.ts'

type Rows<K extends keyof RecordBodies> = Iterable<{
  readonly group: string
  readonly key: string
  readonly body: RecordBodies[K]
}>

export type Leftovers = {
  readonly executions: readonly {
    readonly dfid: string
    readonly step_id: string
    readonly status: string
  }[]
  readonly flows: ReadonlyMap<
    string,
    {
      readonly agent_id: string
      readonly state: string
      readonly parent_dfid: string | null
      readonly expires_at: string
      readonly tags: readonly string[]
    }
  >
  readonly locks: Iterable<{ readonly resource: string; readonly holder: string }>
  /** Flows that have notes, or are said to have some. */
  readonly noted: Iterable<string>
  readonly counters: ReadonlyMap<string, number>
  readonly escalations: Rows<'escalation'>
  readonly notices: Rows<'notice'>
  readonly stops: Rows<'agent_stop'>
  readonly timers: Rows<'timer'>
  readonly dirty: Rows<'dirty_flow'>
  /** Those that agents spawned and that have not ended. */
  readonly instances: Rows<'instance'>
  /** By the clocks of the machines, when it is over. */
  readonly now: string
}

/** What the ledger and the channels say. */
export type KnownOutcomes = {
  readonly told: readonly Notice[]
  readonly standings: ReadonlyMap<string, SagaPayload['status']>
  /** Flows whose saga waits for a person, and the step that it is stuck on. */
  readonly stuck: ReadonlyMap<string, string>
  /** Whether an agent could be handed a flow. */
  readonly isServed: (agent: string) => boolean
  /** Whether a flow can be opened for it. */
  readonly isOpenable: (agent: string) => boolean
  readonly isRetired: (agent: string) => boolean
}

const SETTLED: readonly string[] = ['SUCCESS', 'FAILED', 'ABANDONED']
const ENDED: readonly string[] = ['CLOSED', 'ABORTED']
const CLEAN: readonly string[] = ['COMPENSATED', 'SETTLED']

export function auditLeftovers(report: Report, left: Leftovers, known: KnownOutcomes): void {
  auditHolds(report, left)
  auditRequests(report, left)
  auditExpiry(report, left)
  auditInstances(report, left, known)
  auditSagas(report, left, known)
  for (const { group, key } of left.notices)
    if (group === 'due') report('I7', `the notice ${key} was never sent`)
  for (const { key } of left.stops) report('I7', `nobody stopped ${key}`)
  for (const { group, body } of left.timers)
    if (group === 'due' && body.at < left.now && known.isOpenable(body.agent_id))
      report('I7', `the timer ${body.name} was not fired`)
}

function auditHolds(report: Report, { executions, locks, noted, flows }: Leftovers): void {
  const open = new Map<string, string>()
  for (const { dfid, step_id, status } of executions) {
    const name = `${dfid}:${step_id}`
    if (!SETTLED.includes(status)) open.set(name, status)
    if (!SETTLED.includes(status) && status !== 'MANUAL_REVIEW')
      report('I7', `${name} is ${status}, and nobody works on it`)
  }
  for (const { resource, holder } of locks)
    if (!open.has(holder)) report('I7', `${resource} is held by ${holder}, which is over`)
  for (const dfid of noted) {
    const state = flows.get(dfid)?.state ?? 'unknown'
    if (ENDED.includes(state)) report('I7', `notes of ${dfid} are kept, and it is ${state}`)
  }
}

/** Every request is decided, expired, or waits; every flow that waits does so for something. */
function auditRequests(report: Report, left: Leftovers): void {
  const { executions, flows, now } = left
  const awaited = new Set(listFlowsUnderReview(executions))
  for (const { group, key, body } of left.escalations) {
    const { dfid, expires_at } = body.request
    if (group === 'approved') report('I7', `${key} was approved, and nothing became of it`)
    if (group !== 'open') continue
    awaited.add(dfid)
    if (flows.get(dfid)?.state !== 'ESCALATED')
      report('I7', `${key} waits for a flow that does not`)
    if (expires_at <= now) report('I7', `${key} has expired, and still waits`)
  }
  for (const [dfid, { state }] of flows)
    if (state === 'ESCALATED' && !awaited.has(dfid)) report('I7', `${dfid} waits for nobody`)
}

/** Nothing passes in a flow whose writ has ended: one that waits for nothing else has ended, too. */
function auditExpiry(report: Report, { executions, flows, now }: Leftovers): void {
  const busy = new Set<string | null>()
  for (const { dfid, status } of executions) if (!SETTLED.includes(status)) busy.add(dfid)
  for (const { state, parent_dfid } of flows.values())
    if (!ENDED.includes(state)) busy.add(parent_dfid)
  for (const [dfid, { state, expires_at, tags }] of flows) {
    const isHalfDone = tags.includes('DIRTY') || tags.includes('UNKNOWN')
    if (state === 'ACTIVE' && expires_at <= now && !busy.has(dfid) && !isHalfDone)
      report('I7', `the writ of ${dfid} ended at ${expires_at}, and it is still ACTIVE`)
  }
}

/**
 * An instance whose occasion is over has ended, with everything of it but what a person has to put
 * right; a suspended one waits.
 */
function auditInstances(report: Report, left: Leftovers, known: KnownOutcomes): void {
  const { instances, flows, now } = left
  const kept = listKeptAgents(left)
  for (const { key, body } of instances) {
    const until = 'flow' in body.until ? flows.get(body.until.flow)?.state : undefined
    const isOver = body.ends_at <= now || (until !== undefined && ENDED.includes(until))
    const isKept = known.isRetired(key) && kept.has(key)
    if (isOver && known.isServed(key) && !isKept)
      report('I7', `the occasion of ${key} is over, and it is not`)
  }
}

/** Agents with a flow that only a person can end. */
function listKeptAgents({ executions, flows }: Leftovers): ReadonlySet<string> {
  const reviewed = new Set(listFlowsUnderReview(executions))
  const kept = new Set<string>()
  for (const [dfid, { agent_id, state, tags }] of flows)
    if (!ENDED.includes(state) && (reviewed.has(dfid) || tags.includes('DIRTY'))) kept.add(agent_id)
  return kept
}

function listFlowsUnderReview(executions: Leftovers['executions']): readonly string[] {
  return executions.flatMap(({ status, dfid }) => (status === 'MANUAL_REVIEW' ? [dfid] : []))
}

/** Flows of which somebody was told, or was to be where no channel answers: that stands among what is to be looked at. */
export function collectHeard(
  told: readonly Notice[],
  { notices }: Pick<Leftovers, 'notices'>,
): ReadonlySet<string | undefined> {
  const heard = new Set(told.map(({ dfid }) => dfid))
  for (const { group, body } of notices) if (group === 'failed') heard.add(body.notice.dfid)
  return heard
}

function auditSagas(report: Report, left: Leftovers, known: KnownOutcomes): void {
  const { told, standings } = known
  const { executions, flows, counters } = left
  const heard = collectHeard(told, left)
  const reviewed = listFlowsUnderReview(executions)
  const dirty = new Map<string, number>()
  const open = new Set<string>()
  for (const { group, key, body } of left.dirty) {
    if (group !== 'open') continue
    open.add(key)
    dirty.set(body.agent_id, (dirty.get(body.agent_id) ?? 0) + 1)
    const waits = reviewed.some((dfid) => isBelow(flows, dfid, key))
    if (body.standing === 'compensating' && !waits)
      report('I11', `${key} is being compensated, and nobody works on it`)
    if (!heard.has(key)) report('I11', `${key} is half done, and nobody was told`)
  }
  for (const [dfid, standing] of standings)
    if (CLEAN.includes(standing) === open.has(dfid))
      report('I11', `${dfid} is ${standing}, and ${open.has(dfid) ? 'still' : 'not'} kept as dirty`)
  auditStuckSagas(report, left, known)
  for (const [name, count] of counters)
    if (name.startsWith('dirty ') && count !== (dirty.get(name.slice(6)) ?? 0))
      report('I7', `${name} counts ${count}, there are ${dirty.get(name.slice(6)) ?? 0}`)
}

/** Who has spoken is not waited for. */
function auditStuckSagas(
  report: Report,
  { executions, flows }: Leftovers,
  { stuck }: KnownOutcomes,
): void {
  for (const [root, step] of stuck) {
    const steps = executions.filter(
      ({ dfid, step_id }) => step_id === step && isBelow(flows, dfid, root),
    )
    if (steps.length > 0 && steps.every(({ status }) => status === 'SUCCESS'))
      report('I11', `${root} waits for a person about ${step}, which is settled`)
  }
}

function isBelow(flows: Leftovers['flows'], dfid: string, root: string): boolean {
  for (let at: string | null = dfid; at !== null; at = flows.get(at)?.parent_dfid ?? null)
    if (at === root) return true
  return false
}
