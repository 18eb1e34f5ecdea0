/** What the desk planned, before anything is kept of it: within what was named, without a secret. */
import type { PlannedChange } from 'rubicon-artifacts/desk'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { createRefusal } from './refusal.ts'
import { formatSymbolCount, listArtifactNames, sortNames } from './symbol-name.ts'
import type { Workshop } from './workshop.ts'

/** All symbols of it, each once. */
export function listPlannedSymbols(changes: readonly PlannedChange[]): readonly string[] {
  return sortNames(changes.flatMap(({ symbols }) => symbols))
}

/** `named`: what it may write. A symbol stands for itself alone: nobody is surprised by what lies in it. */
export function checkPlanned(
  { findSecret }: Workshop,
  changes: readonly PlannedChange[],
  named: readonly string[],
): void {
  const symbols = listPlannedSymbols(changes)
  if (changes.length === 0 || symbols.length === 0)
    throw createRefusal('PLAN_UNKNOWN', 'nothing would be changed')
  if (changes.length > HANDS_LIMITS.artifacts || symbols.length > HANDS_LIMITS.symbols)
    throw createRefusal('PLAN_TOO_LARGE', `it would change ${formatSymbolCount(symbols.length)}`)
  const outside = symbols.filter((symbol) => !named.includes(symbol))
  const artifacts = changes.map(({ artifact }) => artifact)
  const unnamed = artifacts.filter((name) => !listArtifactNames(symbols).includes(name))
  if (outside.length + unnamed.length > 0)
    throw createRefusal(
      'PLAN_SYMBOLS',
      `it would change ${formatSymbolCount(outside.length + unnamed.length)} that were not named; \`candidates\` has what it changes`,
      { candidates: symbols },
    )
  for (const { artifact, written } of changes)
    for (const text of written) {
      const kind = findSecret(text)
      if (kind !== null)
        throw createRefusal('SECRET_IN_FRAGMENT', `it would write ${kind}`, { artifact })
    }
}
