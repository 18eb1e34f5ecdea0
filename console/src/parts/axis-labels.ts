/**
 * Which columns have their time below them, and what it says: round times, the date where a day begins. As many as a wide axis
 * has room for; those that are `coarse` stay where there is little.
 */
export type AxisLabel = {
  /** Of the column. */
  readonly index: number
  readonly text: string
  readonly coarse: boolean
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 6, 7, 14, 28, 84, 364].map((days) => days * DAY),
]
const MOST = 12
const MOST_COARSE = 6

/** `walls`: when each column begins, on the reader's clock: `2026-11-03 12:00`. */
export function chooseAxisLabels(walls: readonly string[]): readonly AxisLabel[] {
  const times = walls.map((wall) => Date.parse(`${wall.slice(0, 10)}T${wall.slice(11, 16)}Z`))
  const fine = findStep(times, MOST, 1)
  const coarse = new Set(findLabelled(times, findStep(times, MOST_COARSE, fine)))
  return findLabelled(times, fine).map((index) => ({
    index,
    text: formatLabel(walls[index] ?? '', times[index] ?? 0, times[index - 1], fine),
    coarse: coarse.has(index),
  }))
}

/** The shortest that leaves no more labels than that, and holds the finer one whole: coarse labels are some of the fine ones. */
function findStep(times: readonly number[], most: number, of: number): number {
  const isFew = (step: number): boolean => findLabelled(times, step).length <= most
  return STEPS.find((step) => step % of === 0 && isFew(step)) ?? Number.POSITIVE_INFINITY
}

/** The first column of each step: of a clock that is not UTC columns of half a day do not begin at midnight. */
function findLabelled(times: readonly number[], step: number): readonly number[] {
  return times.flatMap((time, index) => {
    const before = times[index - 1]
    const isFirst =
      before === undefined
        ? time % step === 0
        : Math.floor(time / step) !== Math.floor(before / step)
    return isFirst ? [index] : []
  })
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function formatLabel(wall: string, time: number, before: number | undefined, step: number): string {
  const isNewDay = before !== undefined && Math.floor(time / DAY) !== Math.floor(before / DAY)
  return step >= DAY || isNewDay ? formatDay(wall) : wall.slice(11, 16)
}

/** `3 Nov` */
export function formatDay(wall: string): string {
  return `${Number(wall.slice(8, 10))} ${MONTHS[Number(wall.slice(5, 7)) - 1]}`
}
