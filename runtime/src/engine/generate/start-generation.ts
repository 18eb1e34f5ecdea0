/**
 * Before a model is asked: the largest possible cost is durably reserved, of the flow's writ and of the agent's
 * window, in one unit with the record of what is asked. What is not granted is not asked.
 *
 * N1 the row of the flow moves on with it. Two requests that begin together would otherwise each find room for one,
 *    and whoever compares the counters with what is open would take what began meanwhile for a change by hand.
 * N2 it is decided on the authority that the store has, and guarded by it: an agent that was stopped asks no model, also
 *    where the registry is away and what is remembered of it is older.
 */
import {
  type Address,
  type Budget,
  type Contract,
  err,
  type Failure,
  findAgentBudget,
  findPinnedContract,
  LIMITS,
  ok,
  type Result,
  toBudgetUnits,
  type Writ,
} from 'rubicon-kernel'
import type { OpenGeneration } from '../../ports/generation-record.ts'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import { loadDelegatedWrits } from '../authority/delegation.ts'
import { explainEndedAuthority } from '../authority/ended-authority.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { loadOpen } from '../context/load-open.ts'
import type { Context } from '../engine-context.ts'
import { reserveWindow } from '../rows/agent-window.ts'
import { listBudgetUnits } from '../rows/budget-counters.ts'
import { loadBudgetFailure } from '../rows/budget-refusal.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { listFlowGenerations, OPEN_GENERATIONS, toGenerationKey } from '../rows/open-generations.ts'
import { computeGrantedBudget, listBudgets } from './granted-budget.ts'

/** What is to be asked, and what it can cost at most. */
export type Asking = {
  readonly generation_id: string
  readonly dfid: string
  readonly provider: string
  readonly model: string
  /** Canonical. */
  readonly request: string
  readonly request_hash: Address
  readonly grammar_hash?: Address
  readonly largest: Budget
}

export type StartedGeneration = { readonly open: OpenGeneration; readonly granted: Budget }

export async function startGeneration(
  context: Context,
  asking: Asking,
  isPriced: boolean,
): Promise<Result<StartedGeneration, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await loadOpen(context, asking.dfid, 'ACTIVE')
    if (!flow.ok) return flow
    const standing = await loadStanding(context, flow.value, asking.largest)
    if (!standing.ok) return standing
    if (!isPriced && isMoneyBounded(standing.value)) return err(buildUnpricedFailure(asking))
    const started = await reserveLargest(context, flow.value, standing.value, asking)
    if (started !== null) return started
  }
  return err(buildContentionFailure('the flow'))
}

type Standing = {
  readonly now: string
  /** Of the authority that all of it was read under. */
  readonly seq: number
  readonly writ: Writ
  /** That writ first, then those of the flows above. */
  readonly chain: readonly Writ[]
  readonly contract: Contract | null
  readonly granted: Budget
}

/** Nothing is spent on authority that has ended. */
async function loadStanding(
  context: Context,
  flow: FlowRow,
  largest: Budget,
): Promise<Result<Standing, Failure>> {
  const { now, authority_seq } = await context.store.readNow(flow.trajectory)
  const authority = await context.authorities.loadCurrent(authority_seq)
  const chain = await loadWritChain(context, flow, undefined)
  const delegated = await loadDelegatedWrits(context, flow, chain)
  const ended = explainEndedAuthority(authority, flow, chain, now, delegated)
  const [writ] = chain
  if (ended !== null || writ === undefined)
    return err({
      code: 'AUTHORITY_REVOKED',
      summary: `no model is asked: ${ended ?? 'the flow has no writ'}`,
      fix: 'open another flow once the agent may act again',
    })
  const contract =
    findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract ?? null
  const granted = computeGrantedBudget(chain, contract, Object.keys(largest))
  return ok({ now, seq: authority.seq, writ, chain, contract, granted })
}

/** What a model without a price costs cannot be held against a bound on money. */
function isMoneyBounded({ chain, contract }: Standing): boolean {
  const agent = contract === null ? null : findAgentBudget(contract)
  const budgets = [...listBudgets(chain, contract), agent?.amounts ?? {}]
  return budgets.some((budget) => Object.hasOwn(budget, 'usd'))
}

function buildUnpricedFailure({ model }: Asking): Failure {
  return {
    code: 'MODEL_UNPRICED',
    summary: `\`${model}\` has no price, and the budget of the flow or of its agent bounds usd`,
    fix: 'give its provider a price for it: `prices: { MODEL: { input, output } }`',
  }
}

/** Null: the flow moved meanwhile, or authority did. */
async function reserveLargest(
  context: Context,
  flow: FlowRow,
  { now, seq, writ, contract, granted }: Standing,
  asking: Asking,
): Promise<Result<StartedGeneration, Failure> | null> {
  const { store } = context
  const { dfid, generation_id, provider, model, request_hash, grammar_hash, largest } = asking
  const open: OpenGeneration = {
    ...{ generation_id, dfid, provider, model, request_hash },
    ...(grammar_hash === undefined ? {} : { grammar_hash }),
    reserved: largest,
    reserved_at: now,
    epoch: store.epoch,
  }
  if ((await listFlowGenerations(store, dfid)).length >= LIMITS.generationsAtOnce)
    return err(atOnce)
  const budget = reserveBudget(writ, granted, largest)
  const window = reserveWindow(contract, now, largest)
  const asked = `${dfid} generations`
  const outcome = await store.commit({
    guards: [
      { kind: 'authority_seq', seq },
      { kind: 'flow_version', dfid, version: flow.version },
      { kind: 'counter', id: asked, by: 1, limit: LIMITS.generationsPerFlow },
      ...budget.guards,
      ...window.guards,
    ],
    writes: [
      { kind: 'put_flow', flow: moveFlow(flow, [], flow.updated_at) },
      { kind: 'count', id: asked, by: 1 },
      ...budget.writes,
      ...window.writes,
      ...buildRecords(open, asking.request),
    ],
  })
  if (outcome.ok) return ok({ open, granted })
  const { failed } = outcome
  if (failed.kind !== 'counter') return null
  if (failed.id === asked) return err(full)
  return err(await buildShortFailure(context, failed))
}

/** Of what nobody bounds it is counted what is used. */
function reserveBudget({ body }: Writ, granted: Budget, largest: Budget): Unit {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const [measure, amount] of Object.entries(largest)) {
    for (const [id, by] of listBudgetUnits(body.nonce, { [measure]: amount })) {
      const most = granted[measure]
      const limit = most === undefined ? FULL : Number(toBudgetUnits(measure, most) ?? 0n)
      guards.push({ kind: 'counter', id, by, limit })
      if (by !== 0) writes.push({ kind: 'count', id, by })
    }
  }
  return { guards, writes }
}

/** Beyond this no store counts exactly. */
const FULL = Number.MAX_SAFE_INTEGER

function buildRecords(open: OpenGeneration, request: string): readonly Write[] {
  const { dfid, generation_id } = open
  const key = toGenerationKey(dfid, generation_id)
  const body = { request, response: null, failure: null }
  return [
    { kind: 'put_record', ...OPEN_GENERATIONS, key, body: open },
    { kind: 'put_record', record: 'generation_text', group: dfid, key: generation_id, body },
  ]
}

async function buildShortFailure(
  { store }: Context,
  failed: Extract<Guard, { kind: 'counter' }>,
): Promise<Failure> {
  const summary = 'the most that the request can cost is more than is left'
  const fix = 'ask for fewer `max_tokens`, or a shorter request'
  // The counter of a window has another name: how much is left of it is the agent's and not the flow's.
  if (failed.id.startsWith('window '))
    return { code: 'BUDGET_EXCEEDED', summary: `${summary} of the agent's window`, fix }
  if (failed.limit === 0) return nothing
  return loadBudgetFailure(store, failed, { summary, fix })
}

const nothing: Failure = {
  code: 'BUDGET_EXCEEDED',
  summary:
    'the flow was granted nothing of what a model costs, or the flow above bounds it and gave it nothing',
  fix: 'name `tokens` and `usd` in `budget_per_flow` of the contract of its agent',
}

const full: Failure = {
  code: 'GENERATIONS_FULL',
  summary: `the flow has asked a model ${LIMITS.generationsPerFlow} times, and may not any more`,
  fix: 'propose, or close the flow',
}

const atOnce: Failure = {
  code: 'GENERATIONS_FULL',
  summary: `the flow waits for ${LIMITS.generationsAtOnce} answers of models, and may not for more`,
  fix: 'wait for one of them',
}
