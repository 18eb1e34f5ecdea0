/** What moved between what somebody has looked at and what is. */
import type { BriefFact, EscalationBrief } from 'rubicon-agents/client'

export type FactMove = {
  readonly name: string
  readonly from: unknown
  readonly to: unknown
}

/** Null: nothing that counts; the law says which movements do. */
export function findMovedFacts(
  seen: EscalationBrief,
  latest: EscalationBrief,
): readonly FactMove[] | null {
  if (seen.binds.shown_facts === latest.binds.shown_facts) return null
  const toFactKey = ({ layer, name }: BriefFact): string => `${layer} ${name}`
  const before = new Map(seen.facts.map((fact) => [toFactKey(fact), fact.is]))
  const after = new Map(latest.facts.map((fact) => [toFactKey(fact), fact]))
  const moves = latest.facts
    .filter((fact) => !isSame(before.get(toFactKey(fact)), fact.is))
    .map((fact) => ({ name: fact.name, from: before.get(toFactKey(fact)) ?? null, to: fact.is }))
  const lost = seen.facts
    .filter((fact) => !after.has(toFactKey(fact)))
    .map(({ name, is }) => ({ name, from: is, to: null }))
  return [...moves, ...lost]
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
}
