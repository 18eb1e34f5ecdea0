/**
 * `bench stream`, of atoms: what a decision under one takes from its receipt until its dispatch is durable, beside one
 * act on a new flow, and beside what such an act takes until its own dispatch is durable; and how many of many seeded
 * decisions come to another verdict with an atom than without. Rounds alternate, medians are taken.
 */
import { ignoreProgress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { countDifferingAtoms } from '../../sim/src/differential/differing-atoms.ts'
import { computeMedian, roundFigure } from './measure.ts'
import { createSubject, type Subject } from './subject.ts'
import { actUntilDispatched, prepareAtoms } from './subject-atoms.ts'

const CASES = 10_000
const WARM_UP = 250
const EACH = 40

export type AtomFigures = {
  /** Until the dispatch is durable: under an atom, and of an act; the whole act. */
  readonly took_ms: {
    readonly atom_dispatch: number
    readonly act_dispatch: number
    readonly act: number
  }
  /** Of the whole act. */
  readonly atom_over_act: number
  /** Of the act until the same point: both wait for one commit, which most of the time goes into. */
  readonly atom_over_act_dispatch: number
  /** Verdicts that are others with an atom than without, of so many. */
  readonly differing: number
  readonly compared: number
}

export async function measureAtoms(
  options: {
    readonly rounds?: number
    readonly seed?: number
    readonly progressOf?: ProgressOf
  } = {},
): Promise<AtomFigures> {
  const { rounds = 15, seed = 1, progressOf = ignoreProgress } = options
  const measured = progressOf('rounds')
  const subject = await createSubject()
  const taken: Taken = { atom: [], dispatch: [], act: [] }
  try {
    await measureRound(subject, WARM_UP)
    for (let round = 0; round < rounds; round += 1) {
      measured.tell(round, rounds)
      const { atom, dispatch, act } = await measureRound(subject, EACH)
      taken.atom.push(computeMedian(atom))
      taken.dispatch.push(computeMedian(dispatch))
      taken.act.push(computeMedian(act))
    }
  } finally {
    measured.end()
    await subject.close()
  }
  const { atom, dispatch, act } = mapMedians(taken)
  return {
    took_ms: {
      atom_dispatch: roundFigure(atom),
      act_dispatch: roundFigure(dispatch),
      act: roundFigure(act),
    },
    atom_over_act: roundFigure(atom / act),
    atom_over_act_dispatch: roundFigure(atom / dispatch),
    ...countDifferingAtoms(CASES, seed),
  }
}

type Taken = { readonly atom: number[]; readonly dispatch: number[]; readonly act: number[] }

function mapMedians({ atom, dispatch, act }: Taken): Record<keyof Taken, number> {
  return {
    atom: computeMedian(atom),
    dispatch: computeMedian(dispatch),
    act: computeMedian(act),
  }
}

/** One after the other, so that each waits for its own commit. Flows and atoms are there before. */
async function measureRound(subject: Subject, count: number): Promise<Taken> {
  const taken: Taken = { atom: [], dispatch: [], act: [] }
  const flows = await prepareAtoms(subject, count)
  for (const decide of flows) {
    taken.atom.push(await measureOne(decide))
    taken.dispatch.push(await measureOne(() => actUntilDispatched(subject)))
    taken.act.push(await measureOne(() => subject.act().then(() => skipSettling)))
  }
  return taken
}

async function skipSettling(): Promise<void> {}

async function measureOne(work: () => Promise<() => Promise<void>>): Promise<number> {
  const started = performance.now()
  const settle = await work()
  const took = performance.now() - started
  // What is under way would be measured with the next one.
  await settle()
  return took
}
