/** Whether those have an order that need one, and nobody else. */
import type { ClaimSet } from './claim.ts'
import type { CompositionProblem } from './problem.ts'
import type { ProblemList } from './problem-list.ts'
import type { Strategy } from './strategy.ts'
import type { StrategyIndex } from './strategy-of.ts'

export function checkOrders(
  sets: readonly ClaimSet[],
  strategies: StrategyIndex,
  findings: ProblemList,
): void {
  const last = new Map<string, number>()
  for (const { artifact, order } of sets)
    if (order !== undefined) last.set(artifact, Math.max(last.get(artifact) ?? 0, order))
  const takeNext = (artifact: string): number => {
    const next = (last.get(artifact) ?? 0) + 1
    last.set(artifact, next)
    return next
  }
  const holders = new Map<string, ClaimSet>()
  for (const set of sets) {
    const { key, artifact, order } = set
    const place = describePlace(set)
    const under = listUnder(set, strategies)
    if (order === undefined) {
      if (under.some(({ unordered }) => unordered === 'refused'))
        findings.add({
          ...place,
          kind: 'ORDER_MISSING',
          fixes: [{ kind: 'set_order', key, order: takeNext(artifact) }],
        })
      continue
    }
    if (under.some(({ ordered }) => ordered === 'refused'))
      findings.add({
        ...place,
        kind: 'ORDER_NOT_ALLOWED',
        fixes: under.length > 1 ? [{ kind: 'split', key }] : [{ kind: 'drop_order', key }],
      })
    const twin = holders.get(JSON.stringify([artifact, order]))
    if (twin === undefined) holders.set(JSON.stringify([artifact, order]), set)
    else
      findings.add({
        ...place,
        kind: 'ORDER_TWICE',
        between: [twin.key, key],
        claims: [...describePlace(twin).claims, ...place.claims],
        fixes: [{ kind: 'set_order', key, order: takeNext(artifact) }],
      })
  }
}

function describePlace({
  key,
  artifact,
}: ClaimSet): Pick<CompositionProblem, 'between' | 'artifact' | 'path' | 'claims'> {
  return { between: [key], artifact, path: [], claims: [{ key, claim: 'order', path: [] }] }
}

/** What claims nothing but imports is under the strategy of its artifact. */
function listUnder(
  { artifact, writes, inserts }: ClaimSet,
  strategies: StrategyIndex,
): readonly Strategy[] {
  const under = new Set([
    ...writes.flatMap((write) => strategies.listOfWrite(artifact, write)),
    ...inserts.map(({ container }) => strategies.findOfMembers(artifact, container)),
  ])
  return under.size === 0 ? [strategies.findOfMembers(artifact, [])] : [...under]
}
