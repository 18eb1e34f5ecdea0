/**
 * Runs recorded decisions through today's law, on the facts that were recorded, and lists every
 * verdict that would differ. This is how a rule change is tried before it is made.
 */
import type { Contract, Rules } from 'rubicon-kernel'
import { readAuthority } from '../engine/authority/authority-cache.ts'
import type { Store } from '../ports/store.ts'
import { type CaseOutcome, CaseReader, type DecisionCase } from './decision-case.ts'
import { isSame, judgeAgain } from './judge-case.ts'
import { readTrajectoryPages } from './pages.ts'

export type RecompileReport = {
  readonly ok: boolean
  readonly trajectory: string
  /** Decisions that were run again. */
  readonly decisions: number
  readonly differing: readonly {
    readonly trajectory: string
    readonly seq: number
    readonly dfid: string
    readonly recorded: CaseOutcome
    readonly now: CaseOutcome
  }[]
  /** Decisions that cannot be run again, and why. */
  readonly skipped: readonly { readonly seq: number; readonly why: string }[]
}

/**
 * `changed` stands in for recorded contracts of the same agent: a limit can be tried as well.
 * `onProgress` is told now and then how many entries were looked at.
 */
export async function recompileTrajectory(
  store: Store,
  trajectory: string,
  rules: Rules,
  changed: readonly Contract[] = [],
  onProgress: (entries: number) => void = () => {},
): Promise<RecompileReport> {
  const reader = new CaseReader(store, await readAuthority(store))
  const differing: RecompileReport['differing'][number][] = []
  const skipped: { seq: number; why: string }[] = []
  let decisions = 0
  let entries = 0
  for await (const page of readTrajectoryPages(store, trajectory)) {
    for (const entry of page) {
      reader.see(entry)
      const found = await reader.read(entry)
      if (found === null) continue
      const { seq, dfid = '' } = entry.envelope
      const again = found.ok ? judgeAgain(replaceContract(found.value, changed), rules) : found
      if (!again.ok) {
        skipped.push({ seq, why: again.error })
        continue
      }
      decisions += 1
      const { recorded, now } = again.value
      if (!isSame(recorded, now)) differing.push({ trajectory, seq, dfid, recorded, now })
    }
    entries += page.length
    onProgress(entries)
  }
  return { ok: differing.length === 0, trajectory, decisions, differing, skipped }
}

/** The first of these contracts that is the agent's, in place of the one that was recorded. */
export function replaceContract(found: DecisionCase, changed: readonly Contract[]): DecisionCase {
  const { agent_id } = found.facts.flow
  const contract = changed.find((candidate) => candidate.agent_id === agent_id)
  return contract === undefined ? found : { ...found, contract }
}
