/**
 * `bench decide --profile full`: a context compiled, five gates, the just-in-time check and holds on
 * resources, beside the foundation without them. Rounds alternate, medians are taken.
 */
import { ignoreProgress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { computeMedian, measureRate, roundFigure, runLanes } from './measure.ts'
import { createSubject } from './subject.ts'

const LANES = 64
const DECISIONS = 1_280

type Figures = {
  /** On flows that were opened before. */
  readonly decided: number
  /** With the opening of the flow, which compiles its context. */
  readonly opened: number
}

export type FullReport = {
  readonly profile: 'full'
  readonly decisions_per_s: { readonly full: Figures; readonly foundation: Figures }
  /** Opening included on both sides: a context belongs to every decision. */
  readonly ratio_to_foundation: number
  readonly ratio_without_opening: number
}

export async function runFullBench(
  options: { readonly rounds?: number; readonly progressOf?: ProgressOf } = {},
): Promise<FullReport> {
  const { rounds = 7, progressOf = ignoreProgress } = options
  const measured = progressOf('rounds')
  const subjects = {
    foundation: await createSubject(),
    full: await createSubject({ profile: 'full' }),
  }
  const found = {
    foundation: { decided: [] as number[], opened: [] as number[] },
    full: { decided: [] as number[], opened: [] as number[] },
  }
  try {
    for (const subject of Object.values(subjects)) await runLanes(500, LANES, subject.openAndDecide)
    for (let round = 1; round <= rounds; round += 1) {
      measured.tell(round - 1, rounds)
      for (const name of ['foundation', 'full'] as const) {
        const subject = subjects[name]
        await subject.prepare(DECISIONS)
        const measureLanes = (work: () => Promise<void>): Promise<number> =>
          measureRate(DECISIONS, () => runLanes(DECISIONS, LANES, work))
        found[name].decided.push(await measureLanes(subject.decide))
        found[name].opened.push(await measureLanes(subject.openAndDecide))
      }
    }
  } finally {
    measured.end()
    for (const subject of Object.values(subjects)) await subject.close()
  }
  const full = computeFigures(found.full)
  const foundation = computeFigures(found.foundation)
  return {
    profile: 'full',
    decisions_per_s: { full, foundation },
    ratio_to_foundation: roundFigure(full.opened / foundation.opened),
    ratio_without_opening: roundFigure(full.decided / foundation.decided),
  }
}

function computeFigures(rounds: {
  decided: readonly number[]
  opened: readonly number[]
}): Figures {
  return {
    decided: roundFigure(computeMedian(rounds.decided)),
    opened: roundFigure(computeMedian(rounds.opened)),
  }
}
