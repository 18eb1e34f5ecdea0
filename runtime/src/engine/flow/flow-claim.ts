/**
 * Which of several processes of an agent works on a flow that an event woke. Whoever claims it has it for itself for a
 * minute, and may claim it again meanwhile; then the next one may.
 *
 * Boundary: a claim saves work and decides nothing. A step is done once, whoever proposes it.
 */
import {
  EVENT_LIMITS,
  err,
  type Failure,
  formatInstant,
  LIMITS,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'

export type FlowClaim = RecordBodies['flow_claim']

/** Who has it, and until when. */
export type ClaimedFlow = {
  readonly dfid: string
  readonly by: string
  readonly until: string
}

const GROUP = 'open'

/** `by`: the process that opens the flow and works on it; null: it waits for one. */
export function buildFirstClaim(
  { dfid, agent_id, opened_at }: Pick<FlowRow, 'dfid' | 'agent_id' | 'opened_at'>,
  by: string | null,
): Write {
  const claim = by === null ? null : { by, until: computeClaimEnd(opened_at) }
  const body: FlowClaim = { agent_id, since: opened_at, claim }
  return { kind: 'put_record', record: 'flow_claim', group: GROUP, key: dfid, body }
}

export async function claimFlow(
  { store }: Context,
  dfid: string,
  by: string,
): Promise<Result<ClaimedFlow, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await store.readFlow(dfid)
    if (flow === null || flow.state !== 'ACTIVE') return err(notOpen)
    const known = await store.readRecord('flow_claim', GROUP, dfid)
    if (known === null) return err(notWoken)
    const { now } = await store.readNow(flow.trajectory)
    const { claim } = known.body
    if (claim !== null && claim.by !== by && now < claim.until)
      return err(buildClaimedFailure(claim))
    const until = computeClaimEnd(now)
    const row = { record: 'flow_claim', group: GROUP, key: dfid } as const
    const outcome = await store.commit({
      guards: [{ kind: 'record_version', ...row, version: known.version }],
      writes: [{ kind: 'put_record', ...row, body: { ...known.body, claim: { by, until } } }],
    })
    if (outcome.ok) return ok({ dfid, by, until })
  }
  return err(buildContentionFailure('the claim'))
}

/** Oldest first: names of flows are in the order of time. */
export async function* iterateClaims({
  store,
}: Context): AsyncGenerator<StoredRecord<'flow_claim'>> {
  let after = ''
  for (;;) {
    const page = await store.listRecords('flow_claim', GROUP, { after, limit: PAGE })
    yield* page
    after = page.at(-1)?.key ?? after
    if (page.length < PAGE) return
  }
}

const PAGE = 100

export function buildClaimDrop({ key }: Pick<StoredRecord<'flow_claim'>, 'key'>): Write {
  return { kind: 'drop_record', record: 'flow_claim', group: GROUP, key }
}

/** By which this process claims what it works on. */
export function toEngineName({ store }: Pick<Context, 'store'>): string {
  return `engine-${store.epoch}`
}

function computeClaimEnd(from: string): string {
  return formatInstant((parseInstant(from) ?? 0) + EVENT_LIMITS.claimMs)
}

const notOpen: Failure = {
  code: 'FLOW_NOT_OPEN',
  summary: 'the flow is not open',
  fix: 'nothing is left to be claimed in it',
}

const notWoken: Failure = {
  code: 'CLAIM_UNKNOWN',
  summary: 'the flow does not need to be claimed',
  why: 'no event woke it, or it was worked on already',
  fix: 'work on it',
}

function buildClaimedFailure({ by, until }: NonNullable<FlowClaim['claim']>): Failure {
  return {
    code: 'FLOW_CLAIMED',
    summary: `another process of the agent works on the flow until ${until}`,
    fix: 'leave it to that process, or claim the flow when its time is over',
    meta: { by, until },
  }
}
