/** What an agent may still use: people's patience by the hour, and what its open flows were granted. */
import {
  type Contract,
  computeWindowEnd,
  findAgentBudget,
  formatBudgetUnits,
  formatInstant,
  getCountOwner,
  isSettled,
  LIMITS,
  parseInstant,
  type SignedIntent,
  toBudgetUnits,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow } from '../../../ports/store.ts'
import type { Context } from '../../engine-context.ts'
import { readWindowFact } from '../../rows/agent-window.ts'
import { toCounterId } from '../../rows/budget-counters.ts'

export type AgentBudget = {
  /** Whose: the agent's own by the hour, that of its window over all flows, or that of a flow. */
  readonly of: 'agent' | 'window' | 'flow'
  /** Null: of the agent, or of its window. */
  readonly dfid: string | null
  readonly measure: string
  readonly spent: string
  /** Held for effects of which nobody knows yet what they cost. */
  readonly reserved: string
  readonly limit: string
  /** When some of it comes back; null: never. */
  readonly resets_at: string | null
}

export async function loadAgentBudgets(
  context: Context,
  contract: Contract | null,
  open: readonly FlowRow[],
  now: string,
): Promise<readonly AgentBudget[]> {
  const budgets: AgentBudget[] =
    contract === null
      ? []
      : [
          await loadAskingBudget(context, contract, now),
          ...(await loadWindowBudgets(context, contract, now)),
        ]
  for (const flow of open) budgets.push(...(await loadFlowBudgets(context, flow)))
  return budgets
}

/** Exceptions that reached a person; one comes back an hour after it was used. */
async function loadAskingBudget(
  { store }: Context,
  contract: Contract,
  now: string,
): Promise<AgentBudget> {
  const known = await store.readRecord('escalation_budget', 'agents', getCountOwner(contract))
  const since = formatInstant((parseInstant(now) ?? 0) - LIMITS.escalationWindowMs)
  const spent = (known?.body.spent ?? []).filter((at) => at > since).sort()
  const [oldest] = spent
  return {
    of: 'agent',
    dfid: null,
    measure: 'escalations',
    spent: String(spent.length),
    reserved: '0',
    limit: String(contract.safety_rules.escalations_per_hour),
    resets_at:
      oldest === undefined
        ? null
        : formatInstant((parseInstant(oldest) ?? 0) + LIMITS.escalationWindowMs),
  }
}

/** What flows hold of the window counts as spent. */
async function loadWindowBudgets(
  context: Context,
  contract: Contract,
  now: string,
): Promise<readonly AgentBudget[]> {
  const budget = findAgentBudget(contract)
  const fact = await readWindowFact(context, { contract }, now)
  if (budget === null || fact === null) return []
  return Object.entries(budget.amounts).map(([measure, limit]) => ({
    of: 'window',
    dfid: null,
    measure,
    spent: fact.used[measure] ?? '0',
    reserved: '0',
    limit,
    resets_at: computeWindowEnd(budget, fact.from) ?? null,
  }))
}

async function loadFlowBudgets(
  { store, writs }: Context,
  { dfid, writs: [own] }: FlowRow,
): Promise<readonly AgentBudget[]> {
  const writ = own === undefined ? null : await writs.load(own)
  if (writ === null) return []
  const executions = await store.listExecutions({ dfid, limit: LIMITS.listed })
  const costs = executions.filter(({ status }) => !isSettled(status)).map(parseCost)
  const budgets: AgentBudget[] = []
  for (const [measure, limit] of Object.entries(writ.body.budget)) {
    const used = BigInt(await store.readCounter(toCounterId(writ.body.nonce, measure)))
    const held = costs.map((cost) => toBudgetUnits(measure, cost[measure] ?? '0') ?? 0n)
    const reserved = held.reduce((sum, units) => sum + units, 0n)
    const spent = used < reserved ? 0n : used - reserved
    budgets.push({
      of: 'flow',
      dfid,
      measure,
      spent: formatBudgetUnits(measure, spent),
      reserved: formatBudgetUnits(measure, reserved),
      limit,
      resets_at: null,
    })
  }
  return budgets
}

/** What an effect holds until its outcome is known. */
function parseCost({ intent }: ExecutionRow): SignedIntent['cost'] {
  return (JSON.parse(intent) as SignedIntent).cost
}
