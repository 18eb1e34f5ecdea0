/**
 * What a flow may spend on models. A measure that its own writ does not name has no bound there, since models are no
 * effects; but what a flow above was granted in part is not spent without a part of it below.
 */
import { type Budget, type Contract, computeLeastGranted, type Writ } from 'rubicon-kernel'

/** `chain`: the writ of the flow first, then those of the flows above. A measure that is left out has no bound. */
export function computeGrantedBudget(
  chain: readonly Writ[],
  contract: Contract | null | undefined,
  measures: readonly string[],
): Budget {
  const [own, ...above] = chain
  const nothing = measures.filter((measure) => {
    const isNamed = Object.hasOwn(own?.body.budget ?? {}, measure)
    return !isNamed && above.some(({ body }) => Object.hasOwn(body.budget, measure))
  })
  const withheld = Object.fromEntries(nothing.map((measure) => [measure, '0']))
  const budgets = [own?.body.budget ?? {}, contract?.safety_rules.budget_per_flow ?? {}, withheld]
  return computeLeastGranted(budgets, measures)
}

/** Every budget that bounds a flow, its agent's window apart. */
export function listBudgets(
  chain: readonly Writ[],
  contract: Contract | null | undefined,
): readonly Budget[] {
  return [...chain.map(({ body }) => body.budget), contract?.safety_rules.budget_per_flow ?? {}]
}
