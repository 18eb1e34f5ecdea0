/**
 * Running totals of the statistics: what enters the window is added, what leaves it is taken away,
 * and the total is that of the window. Everything is exact.
 *
 * T1 readings leave in the order in which they came.
 * T2 unreadable values are counted. Of a rate they are hits where more is worse and none where less
 *    is; they lengthen a streak; of what is added up nobody can say what they would have been.
 */
import { assertUnreachable } from '../assert.ts'
import { CusumTally } from './cusum-tally.ts'
import type { Statistic } from './monitor.ts'
import { QuotientTally } from './quotient-tally.ts'
import type { Reading } from './sample.ts'
import { ShiftTally } from './shift-tally.ts'
import { StreakTally } from './streak-tally.ts'
import type { Total } from './total.ts'

export interface Tally {
  add(reading: Reading): void
  /** The oldest that was added. */
  drop(reading: Reading): void
  computeTotal(): Total
}

export function createTally(statistic: Statistic): Tally {
  switch (statistic.kind) {
    case 'mean':
    case 'ratio':
      return new QuotientTally(statistic, 'apart')
    case 'rate':
      return new QuotientTally(statistic, 'against')
    case 'streak':
      return new StreakTally(statistic.length)
    case 'cusum':
      return new CusumTally(statistic.max)
    case 'shift':
      return new ShiftTally(statistic)
    default:
      return assertUnreachable(statistic)
  }
}
