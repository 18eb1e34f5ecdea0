/**
 * What agents report of their reasoning, counted against the budget of their flow.
 *
 * A report buys nothing and can only end the flow, so that an agent's word is enough. A child's usage
 * counts against what it reserved of its parent's budget; what it takes beyond that stays with it.
 *
 * U1 a report that can be read is recorded whole, also the one that passes the budget.
 * U2 a flow whose agent has used more than was granted ends. While an effect of it is on its way it
 *    goes on, and the budget stage refuses everything after that.
 * U3 a flow that has ended takes no reports: what it did not use was given back.
 * U4 a report with a name is counted once, however often it is sent.
 */

import {
  type Budget,
  computeLeastGranted,
  err,
  type Failure,
  findPinnedContract,
  formatBudgetUnits,
  isIdentifier,
  LIMITS,
  listExhausted,
  ok,
  parseUsage,
  type Result,
  toCanonicalText,
  type UsagePayload,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import type { InSession } from '../authority/registry/in-session.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { countInWindow } from '../rows/agent-window.ts'
import { listBudgetUnits } from '../rows/budget-counters.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { mintSalt } from '../rows/identity.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'
import { isCancellable } from './end-flow.ts'

export type UsageOptions = InSession & {
  /** The agent's own name for the report: what is sent twice under one name is counted once. */
  readonly report?: string
}

/** Decimals by measure: what was used since the last report. */
export type Usage = Readonly<Record<string, number | string>>

/** What is used by now of each measure in the report, and what is granted where there is a bound. */
export type UsageAnswer = {
  readonly dfid: string
  readonly state: FlowRow['state']
  /** An agent's word. */
  readonly estimate: true
  readonly used: Budget
  readonly granted: Budget
  readonly reason_code?: 'COMPUTE_BUDGET_EXHAUSTED'
}

export async function reportUsage(
  context: Context,
  dfid: string,
  reported: Usage,
  report?: string,
): Promise<Result<UsageAnswer, Failure>> {
  const usage = parseUsage(reported)
  if (!usage.ok) return usage
  if (report !== undefined && !isIdentifier(report))
    return err(buildUsageInvalidFailure('its name is not an identifier'))
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return err(buildFlowUnknownFailure(dfid))
    const [writ] = await loadWritChain(context, flow, undefined)
    if (writ === undefined)
      return err({ code: 'WRIT_MISSING', summary: 'the flow has no writ', fix: 'open another' })
    const answer = await takeIn(context, flow, writ, usage.value, report)
    if (answer !== null) return answer
  }
  return err(buildContentionFailure('the flow'))
}

/** Null: the flow moved meanwhile. */
async function takeIn(
  context: Context,
  flow: FlowRow,
  writ: Writ,
  usage: Budget,
  report: string | undefined,
): Promise<Result<UsageAnswer, Failure> | null> {
  const granted = await loadGranted(context, flow, writ, usage)
  const named = report === undefined ? null : reportId(writ, report)
  if (named !== null && (await context.store.readCounter(named)) > 0)
    return ok(buildUsageAnswer(flow, await readUsed(context, writ, usage, 0), granted))
  if (flow.state === 'CLOSED' || flow.state === 'ABORTED') return err(buildTooLateFailure(flow))

  const used = await readUsed(context, writ, usage, 1)
  const over = listExhausted(granted, used)
  const ends = over.length > 0 && isCancellable(flow)
  const { now } = await context.store.readNow(flow.trajectory)
  // Thinking is no decision: the watchdog goes on counting from the last one.
  const after = ends ? moveFlow(flow, ['ABORTED'], now) : moveFlow(flow, [], flow.updated_at)
  const counts = buildCounts(writ, usage, named)
  const window = await buildWindowUnit(context, flow, now, usage)
  const writes: Write[] = [
    buildUsageEntry(context, flow, writ, usage, report),
    ...counts.writes,
    ...window.writes,
    { kind: 'put_flow', flow: after },
  ]
  const details = { measures: over, used, granted, estimate: true }
  if (ends) writes.push(buildGovernorEntry(context, flow, EXHAUSTED, details, EXHAUSTED))
  const returned = await returnBudget(context, flow, after, writes)
  const version: Guard = { kind: 'flow_version', dfid: flow.dfid, version: flow.version }
  const outcome = await context.store.commit({
    guards: [version, ...counts.guards, ...window.guards],
    writes: [...writes, ...returned],
  })
  if (outcome.ok) return ok(buildUsageAnswer(after, used, granted))
  const { failed } = outcome
  const isFull = failed.kind === 'counter' && failed.limit === FULL
  return isFull ? err(buildUsageInvalidFailure('the sum is larger than can be counted')) : null
}

async function buildWindowUnit(
  { authorities }: Context,
  flow: FlowRow,
  now: string,
  usage: Budget,
): Promise<Unit> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  return countInWindow(contract, now, usage, FULL)
}

const EXHAUSTED = 'COMPUTE_BUDGET_EXHAUSTED'
/** Beyond this no store counts exactly. */
const FULL = Number.MAX_SAFE_INTEGER

/** The writ of a child names only what its parent's names; its own contract binds it all the same. */
async function loadGranted(
  { authorities }: Context,
  flow: FlowRow,
  { body }: Writ,
  usage: Budget,
): Promise<Budget> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  const budgets = [body.budget, contract?.safety_rules.budget_per_flow ?? {}]
  return computeLeastGranted(budgets, Object.keys(usage))
}

/** What is counted of the measures of a report, with the report or without it. */
async function readUsed(
  { store }: Context,
  { body }: Writ,
  usage: Budget,
  times: 0 | 1,
): Promise<Budget> {
  const used: Record<string, string> = Object.create(null)
  for (const [measure, amount] of Object.entries(usage)) {
    for (const [id, units] of listBudgetUnits(body.nonce, { [measure]: amount }))
      used[measure] = formatBudgetUnits(
        measure,
        BigInt(await store.readCounter(id)) + BigInt(units * times),
      )
  }
  return used
}

function buildCounts(
  { body }: Writ,
  usage: Budget,
  named: string | null,
): { readonly guards: readonly Guard[]; readonly writes: readonly Write[] } {
  const amounts = listBudgetUnits(body.nonce, usage).map(([id, by]) => ({ id, by, limit: FULL }))
  const all = named === null ? amounts : [...amounts, { id: named, by: 1, limit: 1 }]
  return {
    guards: all.map((one) => ({ kind: 'counter', ...one })),
    writes: all.map(({ id, by }) => ({ kind: 'count', id, by })),
  }
}

/** No measure has such a name: there is no space in theirs. */
function reportId({ body }: Writ, report: string): string {
  return `${body.nonce} report ${report}`
}

function buildUsageEntry(
  context: Context,
  { trajectory, dfid }: FlowRow,
  { id }: Writ,
  used: Budget,
  report: string | undefined,
): Write {
  const payload: UsagePayload = {
    salt: mintSalt(context),
    writ_id: id,
    source: 'agent',
    ...(report === undefined ? {} : { report }),
    used,
  }
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text }
}

function buildUsageAnswer({ dfid, state }: FlowRow, used: Budget, granted: Budget): UsageAnswer {
  const over = listExhausted(granted, used).length > 0
  return {
    dfid,
    state,
    estimate: true,
    used,
    granted,
    ...(over ? { reason_code: EXHAUSTED } : {}),
  }
}

function buildTooLateFailure({ state }: FlowRow): Failure {
  return {
    code: 'FLOW_NOT_OPEN',
    summary: `the flow is ${state}`,
    why: 'what it did not use was given back when it ended',
    fix: 'report before the last step',
  }
}

function buildUsageInvalidFailure(why: string): Failure {
  return {
    code: 'USAGE_INVALID',
    summary: 'the report of usage cannot be counted',
    why,
    fix: 'report what was used since the last report',
  }
}
