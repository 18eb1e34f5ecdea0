/**
 * After a model was asked: one unit with the entry about it, what is counted, and what it said.
 *
 * G1 what the provider counted is a fact, and overrules what was reserved; where it did not count, or nobody knows,
 *    the largest possible stands. Nothing is free because an answer was lost.
 * G2 what was counted above the reservation is recorded whole, and ends the flow as a report of usage does
 *    (U2 of close/usage.ts).
 * G3 an ended flow takes the entry all the same: what was reserved before its end was not given back.
 */
import {
  type Address,
  assert,
  type Budget,
  type Contract,
  findPinnedContract,
  formatBudgetUnits,
  type GenerationPayload,
  LIMITS,
  listExhausted,
  toBudgetUnits,
  toCanonicalText,
} from 'rubicon-kernel'
import type { OpenGeneration } from '../../ports/generation-record.ts'
import type { FlowRow, Guard, Write } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { isCancellable } from '../close/end-flow.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { settleWindow } from '../rows/agent-window.ts'
import { toCounterId } from '../rows/budget-counters.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'
import { mintSalt } from '../rows/identity.ts'
import { OPEN_GENERATIONS, toGenerationKey } from '../rows/open-generations.ts'
import type { GenerationEnd } from './generation-end.ts'
import { computeGrantedBudget } from './granted-budget.ts'

export type SettledGeneration = { readonly state: FlowRow['state']; readonly exhausted: boolean }

/** Null: another engine has settled it. */
export async function settleGeneration(
  context: Context,
  open: OpenGeneration,
  end: GenerationEnd,
): Promise<SettledGeneration | null> {
  const { store } = context
  const key = toGenerationKey(open.dfid, open.generation_id)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await store.readFlow(open.dfid)
    if (flow === null) throw new Error(`a generation without its flow: ${open.dfid}`)
    const record = await store.readRecord(OPEN_GENERATIONS.record, OPEN_GENERATIONS.group, key)
    if (record === null) return null
    const settled = await writeEnd(context, flow, open, end, record.version)
    if (settled !== null) return settled
  }
  throw new Error('a generation could not be recorded: its flow kept changing')
}

/** Null: something moved meanwhile. */
async function writeEnd(
  context: Context,
  flow: FlowRow,
  open: OpenGeneration,
  end: GenerationEnd,
  version: number,
): Promise<SettledGeneration | null> {
  const { store } = context
  const { now } = await store.readNow(flow.trajectory)
  const budget = await settleBudget(context, flow, open, end.used)
  const { over, used, granted } = budget
  const place = { ...OPEN_GENERATIONS, key: toGenerationKey(open.dfid, open.generation_id) }
  const guards: Guard[] = [{ kind: 'record_version', ...place, version }]
  const writes: Write[] = [
    buildEntry(context, open, end, flow.trajectory, budget.writ_id),
    ...budget.writes,
    await buildKeptText(context, open, end),
    { kind: 'drop_record', ...place },
  ]
  const exhausted = over.length > 0
  if (!exhausted || !isCancellable(flow)) {
    const outcome = await store.commit({ guards, writes })
    return outcome.ok ? { state: flow.state, exhausted } : null
  }
  const after = moveFlow(flow, ['ABORTED'], now)
  const details = { measures: over, used, granted }
  writes.push({ kind: 'put_flow', flow: after })
  writes.push(buildGovernorEntry(context, flow, EXHAUSTED, details, EXHAUSTED))
  const returned = await returnBudget(context, flow, after, writes)
  guards.push({ kind: 'flow_version', dfid: flow.dfid, version: flow.version })
  const outcome = await store.commit({ guards, writes: [...writes, ...returned] })
  return outcome.ok ? { state: after.state, exhausted } : null
}

const EXHAUSTED = 'COMPUTE_BUDGET_EXHAUSTED'

type SettledBudget = {
  readonly writ_id: Address
  readonly writes: readonly Write[]
  /** Measures of which more is used than granted. */
  readonly over: readonly string[]
  readonly used: Budget
  readonly granted: Budget
}

async function settleBudget(
  context: Context,
  flow: FlowRow,
  { reserved, reserved_at }: OpenGeneration,
  spent: Budget,
): Promise<SettledBudget> {
  const { store } = context
  const chain = await loadWritChain(context, flow, undefined)
  const [writ] = chain
  assert(writ !== undefined, 'a flow that asked a model has its writ')
  const contract = await loadContract(context, flow)
  const measures = [...new Set([...Object.keys(reserved), ...Object.keys(spent)])]
  const granted = computeGrantedBudget(chain, contract, measures)
  const used: Record<string, string> = Object.create(null)
  const writes: Write[] = []
  for (const measure of measures) {
    const id = toCounterId(writ.body.nonce, measure)
    const by = getUnits(measure, spent) - getUnits(measure, reserved)
    used[measure] = formatBudgetUnits(measure, BigInt((await store.readCounter(id)) + by))
    if (by !== 0) writes.push({ kind: 'count', id, by })
  }
  writes.push(...settleWindow(contract, reserved_at, reserved, spent))
  return { writ_id: writ.id, writes, over: listExhausted(granted, used), used, granted }
}

async function loadContract(
  { authorities }: Context,
  flow: FlowRow,
): Promise<Contract | undefined> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  return findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
}

function getUnits(measure: string, amounts: Budget): number {
  const amount = Object.hasOwn(amounts, measure) ? amounts[measure] : undefined
  return amount === undefined ? 0 : Number(toBudgetUnits(measure, amount) ?? 0n)
}

function buildEntry(
  context: Context,
  { dfid, generation_id, provider, model, request_hash, grammar_hash }: OpenGeneration,
  { found, used }: GenerationEnd,
  trajectory: string,
  writ_id: Address,
): Write {
  const payload = {
    ...{ salt: mintSalt(context), writ_id, source: 'model' },
    ...{ generation_id, provider, model, request_hash, used },
    ...(grammar_hash === undefined ? {} : { grammar_hash }),
    ...found,
  } satisfies GenerationPayload
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text }
}

async function buildKeptText(
  { store }: Context,
  { dfid, generation_id }: OpenGeneration,
  { response, failure }: GenerationEnd,
): Promise<Write> {
  const place = { record: 'generation_text', group: dfid, key: generation_id } as const
  const kept = await store.readRecord(place.record, dfid, generation_id)
  // It was written with what was reserved; whoever took it out since has taken out what was asked.
  const body = { request: kept?.body.request ?? '', response, failure }
  return { kind: 'put_record', ...place, body }
}
