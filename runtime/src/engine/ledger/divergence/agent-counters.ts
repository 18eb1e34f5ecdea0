/**
 * What an agent has used over all its flows, held against the ledger at the start: the running window of its
 * budget, what was taken of writs that were issued by hand, and that it is in maintenance. No open flow need
 * remember any of it.
 *
 * A counter that says more than the ledger is no danger, and may: what an agent reports of its reasoning is
 * counted, and the ledger does not say in which window. One that says less was changed.
 */
import {
  type AgentBudget,
  type CommitPayload,
  computeWindowIndex,
  findAgentBudget,
  parseInstant,
  type SignedIntent,
  toBudgetUnits,
} from 'rubicon-kernel'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Context } from '../../engine-context.ts'
import { toWindowCounter } from '../../rows/agent-window.ts'
import { toMaintenanceCounter } from '../../rows/maintenance.ts'
import { iterateFlows } from './open-flows.ts'
import { BESIDE_MS, iterateTakings, type Taking } from './recent-entries.ts'
import { foldIssuedWrits } from './writ-fold.ts'

type Needed = Pick<Context, 'store' | 'sha256' | 'authorities'>

/** Throws a `StoreDiverged` at the first that says less. */
export async function checkAgentCounters(context: Needed): Promise<void> {
  if (!context.store.exposed) return
  await checkMaintenance(context)
  const size = await context.store.countLeaves()
  const windows = new WindowFold(await listAgentBudgets(context), context.store.time.getNow())
  const writs = await foldIssuedWrits(context)
  const from = Math.min(windows.from, writs.from)
  if (!Number.isFinite(from)) return
  for await (const taking of iterateTakings(context, from)) {
    windows.add(taking)
    writs.add(taking)
  }
  for (const [id, units] of [...windows.taken, ...writs.taken]) {
    const counted = await readCounter(context, id)
    if (counted >= units) continue
    // Where others write meanwhile, they have looked at it themselves.
    if ((await context.store.countLeaves()) !== size) return
    throw new StoreDiverged(
      `counter \`${id}\``,
      `it is ${counted}, and should be at least ${units}`,
    )
  }
}

/**
 * From when on entries are folded to hold counters against them, in milliseconds; infinite where none are. What
 * stands before it is not needed any more.
 */
export async function findCountedSince(context: Needed): Promise<number> {
  const windows = new WindowFold(await listAgentBudgets(context), context.store.time.getNow())
  const writs = await foldIssuedWrits(context)
  return Math.min(windows.from, writs.from) - BESIDE_MS
}

async function checkMaintenance({ store }: Needed): Promise<void> {
  const dirty = new Map<string, number>()
  for await (const { agent_id } of iterateFlows(store, { tag: 'DIRTY' }))
    dirty.set(agent_id, (dirty.get(agent_id) ?? 0) + 1)
  for (const [agent, flows] of dirty) {
    const id = toMaintenanceCounter(agent)
    const counted = await readCounter({ store }, id)
    if (counted < flows)
      throw new StoreDiverged(`counter \`${id}\``, `it is ${counted}, and ${flows} flows are dirty`)
  }
}

/** One that this runtime did not write refuses whoever decides by it, and says so then. */
async function readCounter({ store }: Pick<Needed, 'store'>, id: string): Promise<number> {
  try {
    return await store.readCounter(id)
  } catch (error) {
    if (!(error instanceof StoreDiverged)) throw error
    return Number.POSITIVE_INFINITY
  }
}

/** What was taken of the windows that are running, in minor units by counter. */
class WindowFold {
  readonly #budgets: ReadonlyMap<string, AgentBudget>
  readonly #now: number
  readonly #open: Map<string, ReadonlyMap<string, number>> = new Map()
  readonly taken: Map<string, number> = new Map()

  constructor(budgets: ReadonlyMap<string, AgentBudget>, now: number) {
    this.#budgets = budgets
    this.#now = now
  }

  /** When the first of them began; infinite without one. */
  get from(): number {
    const begins = [...this.#budgets.values()].map((one) => {
      return computeWindowIndex(one, this.#now) * one.window_s * 1000
    })
    return Math.min(Number.POSITIVE_INFINITY, ...begins)
  }

  add(taking: Taking): void {
    if (taking.kind === 'reserved') {
      const { intent } = taking
      const parts = computeWindowParts(intent, this.#budgets.get(intent.contract_hash), this.#now)
      if (parts.size > 0) this.#open.set(intent.intent_id, parts)
      for (const [id, units] of parts) this.#count(id, units)
    } else if (taking.kind === 'ended') {
      const parts = this.#open.get(taking.intent_id) ?? new Map<string, number>()
      this.#open.delete(taking.intent_id)
      // What was not spent goes back; of what failed, everything. What nobody knows stays.
      for (const [id, units] of parts)
        this.#count(id, Math.min(units, toCounterUnits(id, taking.spent)) - units)
    }
  }

  #count(id: string, by: number): void {
    this.taken.set(id, (this.taken.get(id) ?? 0) + by)
  }
}

async function listAgentBudgets({
  authorities,
}: Needed): Promise<ReadonlyMap<string, AgentBudget>> {
  const { contracts } = await authorities.loadLatest()
  const found = new Map<string, AgentBudget>()
  for (const { hash, contract } of [...contracts.values()].flat()) {
    const budget = findAgentBudget(contract)
    if (budget !== null) found.set(hash, budget)
  }
  return found
}

function computeWindowParts(
  { cost, staged_at }: SignedIntent,
  budget: AgentBudget | undefined,
  now: number,
): ReadonlyMap<string, number> {
  const parts = new Map<string, number>()
  if (budget === undefined) return parts
  const index = computeWindowIndex(budget, parseInstant(staged_at) ?? 0)
  if (index !== computeWindowIndex(budget, now)) return parts
  for (const measure of Object.keys(budget.amounts))
    parts.set(toWindowCounter(budget, index, measure), toMeasureUnits(measure, cost))
  return parts
}

function toCounterUnits(id: string, amounts: CommitPayload['cost']): number {
  return toMeasureUnits(id.slice(id.lastIndexOf(' ') + 1), amounts)
}

function toMeasureUnits(measure: string, amounts: CommitPayload['cost']): number {
  const amount = Object.hasOwn(amounts, measure) ? amounts[measure] : undefined
  return amount === undefined ? 0 : Number(toBudgetUnits(measure, amount) ?? 0n)
}
