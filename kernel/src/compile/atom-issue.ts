/** What has to hold before an atom says that it does: all that it covers, and that there is authority at all. */
import { getOwn } from '../contract/own.ts'
import { addCost, toBudgetUnits } from '../writ/budget.ts'
import type { Budget } from '../writ/writ.ts'
import { checkChain } from './02-signature.ts'
import { checkStandingTimes } from './03-window.ts'
import { checkScope } from './04-scope.ts'
import { checkCapability } from './05-capability.ts'
import { computeCallCost } from './06-budget.ts'
import type { AuthorityInput, Findings } from './input.ts'
import type { Refusal } from './verdict.ts'

/** What one kind costs with every call; or why no atom can be issued for it. */
export type AtomKind =
  | { readonly ok: true; readonly cost: Budget }
  | { readonly ok: false; readonly refusal: Refusal }

export function judgeAtomKind(input: AuthorityInput): AtomKind {
  const found: Pick<Findings, 'law'> = {}
  const asked = [
    () => checkChain(input),
    () => checkStandingTimes(input),
    () => checkScope(input),
    () => checkCapability(input, found),
  ]
  for (const ask of asked) {
    const [refusal] = ask().refusals ?? []
    if (refusal !== undefined) return { ok: false, refusal }
  }
  const cost = found.law === undefined ? undefined : computeCallCost(found.law)
  if (cost !== undefined) return { ok: true, cost }
  return { ok: false, refusal: { code: 'BUDGET_EXCEEDED', details: { measures: ['cost'] } } }
}

/** What covers any one of them: of each measure the most. */
export function computeLargestCallCost(costs: readonly Budget[]): Budget {
  const largest: Record<string, string> = {}
  for (const [measure, amount] of costs.flatMap((cost) => Object.entries(cost))) {
    const held = toBudgetUnits(measure, getOwn(largest, measure) ?? '0') ?? 0n
    if ((toBudgetUnits(measure, amount) ?? 0n) >= held) largest[measure] = amount
  }
  return addCost({}, largest) ?? {}
}
