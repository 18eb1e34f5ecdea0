/**
 * What a soft guard or an auditor may spend on models, as counters: one for each measure and window, and one of
 * that for each agent that it is asked about.
 *
 * B1 it is the adviser's: no writ and no window of an agent is drawn on, and none can use it up.
 * B2 of each window one agent takes no more than its share, with the instances of its class. Whoever proposes much
 *    is not looked at any more, and the others still are.
 * B3 the most that a question can cost is taken before it is asked. What nobody gives back, because the process
 *    ended, stays taken.
 * B4 when something is used up, somebody is told, once in a window.
 */
import { type Budget, computeWindowIndex, formatInstant, toBudgetUnits } from 'rubicon-kernel'
import { type AdviserBudget, USUAL_SHARE_PCT } from '../../ports/adviser-model.ts'
import { OPERATOR_CHANNEL } from '../../ports/notifier.ts'
import type { Guard, Write } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { buildNoticeWrite } from '../notices/queue.ts'

/** Why nobody was asked. */
export const ADVISER_BUDGET = 'ADVISER_BUDGET'

export type Adviser = {
  readonly kind: 'soft_guard' | 'auditor'
  readonly name: string
}

/** Whom a question is about, and by whom. */
export type Spending = {
  readonly adviser: Adviser
  readonly budget: AdviserBudget
  /** The class of an instance. */
  readonly agent: string
  readonly at: number
}

/** What is used up: of the window, or of the agent's share of it; null: it is taken. */
export type UsedUp = 'window' | 'share' | null

export async function reserveAdvice(
  { store }: Pick<Deps, 'store'>,
  spending: Spending,
  largest: Budget,
): Promise<UsedUp> {
  const bounds = listBounds(spending)
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const { id, limit, measure } of bounds) {
    const by = toUnits(measure, largest[measure])
    guards.push({ kind: 'counter', id, by, limit })
    if (by !== 0) writes.push({ kind: 'count', id, by })
  }
  const outcome = await store.commit({ guards, writes })
  if (outcome.ok) return null
  const { failed } = outcome
  const broken = bounds.find(({ id }) => failed.kind === 'counter' && failed.id === id)
  return broken?.of ?? 'window'
}

/** What was taken becomes what was used, where it was taken, whether it fits or not. */
export async function settleAdvice(
  { store }: Pick<Deps, 'store'>,
  spending: Spending,
  largest: Budget,
  used: Budget,
): Promise<void> {
  const writes = listBounds(spending).flatMap(({ id, measure }): Write[] => {
    const by = toUnits(measure, used[measure]) - toUnits(measure, largest[measure])
    return by === 0 ? [] : [{ kind: 'count', id, by }]
  })
  if (writes.length > 0) await store.commit({ guards: [], writes })
}

/** Tells that nobody is asked any more in this window; whoever comes second says nothing. */
export async function tellUsedUp(
  { store }: Pick<Deps, 'store'>,
  spending: Spending,
  usedUp: 'window' | 'share',
  dfid: string,
): Promise<void> {
  const { adviser, agent, at, budget } = spending
  const window = toWindowName(spending)
  const told = usedUp === 'share' ? toShareName(window, agent, 'told') : `${window} told`
  const { kind, name } = adviser
  const ends = (computeWindowIndex(budget, at) + 1) * budget.window_s * 1_000
  await store.commit({
    guards: [{ kind: 'counter', id: told, by: 1, limit: 1 }],
    writes: [
      { kind: 'count', id: told, by: 1 },
      buildNoticeWrite({
        id: told.replaceAll(' ', ':'),
        kind: 'adviser_budget',
        agent_id: agent,
        dfid,
        reason_code: ADVISER_BUDGET,
        channel: OPERATOR_CHANNEL,
        at: formatInstant(at),
        details: { adviser: kind, name, used_up: usedUp, until: formatInstant(ends) },
      }),
    ],
  })
}

type Bound = {
  readonly id: string
  readonly of: 'window' | 'share'
  readonly measure: string
  readonly limit: number
}

/** The share first: who has used up both is held by its own. Where one agent may take all, there is no share. */
function listBounds(spending: Spending): readonly Bound[] {
  const { budget, agent } = spending
  const { tokens, usd, agent_share_pct: pct = USUAL_SHARE_PCT } = budget
  const amounts = usd === undefined ? { tokens } : { tokens, usd }
  const window = toWindowName(spending)
  return Object.entries(amounts).flatMap(([measure, amount]) => {
    const limit = toUnits(measure, amount)
    const whole: Bound = { id: `${window} ${measure}`, of: 'window', measure, limit }
    if (pct === 100) return [whole]
    const share = Math.floor((limit * pct) / 100)
    return [{ id: toShareName(window, agent, measure), of: 'share', measure, limit: share }, whole]
  })
}

/** There is a space in it: no counter of a writ has one. */
function toWindowName({ adviser: { kind, name }, budget, at }: Spending): string {
  return `advice ${kind} ${name} ${budget.window_s} ${computeWindowIndex(budget, at)}`
}

/** An agent has no space in its name, so that no two of these are the same. */
function toShareName(window: string, agent: string, measure: string): string {
  return `${window} of ${agent} ${measure}`
}

function toUnits(measure: string, amount: string | undefined): number {
  return amount === undefined ? 0 : Number(toBudgetUnits(measure, amount) ?? 0n)
}
