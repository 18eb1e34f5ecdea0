/**
 * What an agent has used over all its flows, held against the ledger at the start: the running window of its
 * budget, and that it is in maintenance. No open flow need remember either.
 *
 * A counter that says more than the ledger is no danger, and may: what an agent reports of its reasoning is
 * counted, and the ledger does not say in which window. One that says less was changed.
 */
import {
  type AcceptedPayload,
  type AgentBudget,
  agentBudget,
  budgetUnits,
  type CommitPayload,
  LIMITS,
  parseInstant,
  type SettlePayload,
  type SignedIntent,
  windowIndex,
} from 'rubicon-kernel'
import type { LeafEntry } from '../../ports/store.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { windowCounter } from '../agent-window.ts'
import type { Context } from '../context.ts'
import { maintenanceCounter } from '../saga/maintenance.ts'
import { TreeCheck } from '../tree-check.ts'
import { allFlows } from './open-flows.ts'

type Needed = Pick<Context, 'store' | 'sha256' | 'authorities'>

/** Throws a `StoreDiverged` at the first that says less. */
export async function checkAgentCounters(context: Needed): Promise<void> {
  if (!context.store.exposed) return
  await checkMaintenance(context)
  const size = await context.store.leafCount()
  const least = await takenInWindows(context)
  for (const [id, units] of least) {
    const counted = await countedIn(context, id)
    if (counted >= units) continue
    // Where others write meanwhile, they have looked at it themselves.
    if ((await context.store.leafCount()) !== size) return
    throw new StoreDiverged(`counter \`${id}\``, `it is ${counted}, and was ${units} at least`)
  }
}

async function checkMaintenance({ store }: Needed): Promise<void> {
  const dirty = new Map<string, number>()
  for await (const { agent_id } of allFlows(store, { tag: 'DIRTY' }))
    dirty.set(agent_id, (dirty.get(agent_id) ?? 0) + 1)
  for (const [agent, flows] of dirty) {
    const id = maintenanceCounter(agent)
    const counted = await countedIn({ store }, id)
    if (counted < flows)
      throw new StoreDiverged(`counter \`${id}\``, `it is ${counted}, and ${flows} flows are dirty`)
  }
}

/** One that this runtime did not write refuses whoever decides by it, and says so then. */
async function countedIn({ store }: Pick<Needed, 'store'>, id: string): Promise<number> {
  try {
    return await store.counter(id)
  } catch (error) {
    if (!(error instanceof StoreDiverged)) throw error
    return Number.POSITIVE_INFINITY
  }
}

/** Minor units by counter, of the windows that are running, as far as the ledger says. */
async function takenInWindows(context: Needed): Promise<ReadonlyMap<string, number>> {
  const { store } = context
  const budgets = await agentBudgets(context)
  const taken = new Map<string, number>()
  if (budgets.size === 0) return taken
  const now = store.time.now()
  const from = Math.min(
    ...[...budgets.values()].map((one) => windowIndex(one, now) * one.window_s * 1000),
  )
  const open = new Map<string, ReadonlyMap<string, number>>()
  const add = (id: string, by: number): void => void taken.set(id, (taken.get(id) ?? 0) + by)
  for await (const entry of entriesSince(context, from)) {
    const intent = intentIn(entry)
    if (intent !== null) {
      const parts = partsOf(intent, budgets.get(intent.contract_hash), now)
      open.set(intent.intent_id, parts)
      for (const [id, units] of parts) add(id, units)
      continue
    }
    const end = endIn(entry)
    const parts = end === null ? undefined : open.get(end.intent_id)
    if (end === null || parts === undefined) continue
    open.delete(end.intent_id)
    // What was not spent goes back; of what failed, everything. What nobody knows stays.
    for (const [id, units] of parts) add(id, Math.min(units, unitsIn(id, end.spent)) - units)
  }
  return taken
}

async function agentBudgets({ authorities }: Needed): Promise<ReadonlyMap<string, AgentBudget>> {
  const { contracts } = await authorities.latest()
  const found = new Map<string, AgentBudget>()
  for (const { hash, contract } of [...contracts.values()].flat()) {
    const budget = agentBudget(contract)
    if (budget !== null) found.set(hash, budget)
  }
  return found
}

/** Trajectories run beside each other: in the tree an entry may stand behind one that is a little later. */
const BESIDE_MS = 3_600_000

/** In the order of the tree, those since that moment and perhaps some before it. */
async function* entriesSince({ store, sha256 }: Needed, from: number): AsyncGenerator<LeafEntry> {
  const limit = LIMITS.entriesPerPage
  const size = await store.leafCount()
  let first = size
  for (let isOlder = false; first > 0 && !isOlder; ) {
    first = Math.max(0, first - limit)
    const page = await store.leaves(first, limit)
    isOlder = page.every(({ envelope }) => (parseInstant(envelope.at) ?? 0) < from - BESIDE_MS)
  }
  const check = new TreeCheck(store, sha256)
  for (; first < size; first += limit) {
    const page = await store.leaves(first, limit)
    await check.check(page.filter(isRead))
    yield* page
  }
}

function isRead({ envelope: { kind } }: LeafEntry): boolean {
  return kind === 'accepted' || kind === 'dispatch' || kind === 'commit' || kind === 'settle'
}

/** Where it first stands. */
function intentIn({ envelope, payload }: LeafEntry): SignedIntent | null {
  if (payload === null || (envelope.kind !== 'accepted' && envelope.kind !== 'dispatch'))
    return null
  const { intent } = JSON.parse(payload) as Partial<AcceptedPayload>
  return intent === undefined || intent.compensation !== undefined ? null : intent
}

type End = { readonly intent_id: string; readonly spent: CommitPayload['cost'] }

function endIn({ envelope, payload }: LeafEntry): End | null {
  if (payload === null) return null
  if (envelope.kind === 'commit') {
    const { intent_id, cost } = JSON.parse(payload) as CommitPayload
    return { intent_id, spent: cost }
  }
  if (envelope.kind !== 'settle') return null
  const { intent_id, status } = JSON.parse(payload) as SettlePayload
  // What was given up after it was sent stays taken; to say so of all is to ask for less.
  return status === 'FAILED' || status === 'ABANDONED' ? { intent_id, spent: {} } : null
}

function partsOf(
  { cost, staged_at }: SignedIntent,
  budget: AgentBudget | undefined,
  now: number,
): ReadonlyMap<string, number> {
  const parts = new Map<string, number>()
  if (budget === undefined) return parts
  const index = windowIndex(budget, parseInstant(staged_at) ?? 0)
  if (index !== windowIndex(budget, now)) return parts
  for (const measure of Object.keys(budget.amounts))
    parts.set(windowCounter(budget, index, measure), unitsOf(measure, cost))
  return parts
}

function unitsIn(id: string, amounts: CommitPayload['cost']): number {
  return unitsOf(id.slice(id.lastIndexOf(' ') + 1), amounts)
}

function unitsOf(measure: string, amounts: CommitPayload['cost']): number {
  const amount = Object.hasOwn(amounts, measure) ? amounts[measure] : undefined
  return amount === undefined ? 0 : Number(budgetUnits(measure, amount) ?? 0n)
}
