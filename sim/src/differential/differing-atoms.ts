/**
 * The same decision with and without an atom, compiled twice by the kernel: on what it was issued on, and after something
 * has changed since, revocations among it. Verdict, code and what would be dispatched must be the same.
 */
import { assertUnreachable, compile, parseInstant, type Verdict } from 'rubicon-kernel'
import { drawPlainCase } from '../differential.ts'
import { createChance } from './chance.ts'
import { nameAtom } from './mutate-atom.ts'

export type DifferingAtoms = {
  readonly compared: number
  readonly differing: number
  /** How many were decided with a part of the stages covered. */
  readonly covered: number
}

/** Cases that cannot be read have no verdict to compare, and are drawn again. */
export function countDifferingAtoms(cases: number, seed: number): DifferingAtoms {
  const chance = createChance(seed)
  let [compared, differing, covered] = [0, 0, 0]
  while (compared < cases) {
    const input = drawPlainCase(chance)
    // A moment that nobody can read is past every end, also of an atom: refused either way, by another code.
    if (input.unreadable !== null || parseInstant(input.facts.value.now) === undefined) continue
    compared += 1
    // Half of them stand on an older authority. That an atom ends is another question: here it has not.
    const isOlder = chance.once(2)
    const under = nameAtom(input, [
      ({ atom }) => {
        atom.expires_at = '9000-01-01T00:00:00.000Z'
        if (isOlder) atom.authority_seq -= 1
      },
    ])
    const verdict = compile(under)
    if (verdict.trace.some((line) => line.covered === true)) covered += 1
    if (formatVerdict(compile(input)) !== formatVerdict(verdict)) differing += 1
  }
  return { compared, differing, covered }
}

function formatVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'staged': {
      const { policy_kind, params, cost, resources, dispatch_before } = verdict.intent
      const flagged = verdict.flagged.map(({ id }) => id)
      return JSON.stringify([policy_kind, params, cost, resources, dispatch_before, flagged])
    }
    case 'suspended':
      return JSON.stringify([verdict.code, verdict.triggers])
    case 'rejected':
      return JSON.stringify([verdict.stage, verdict.code, verdict.refusals])
    case 'repeated':
      return 'repeated'
    default:
      return assertUnreachable(verdict)
  }
}
