/** What stands below the line of a monitor: times as everywhere else in the console, the day where one begins. */
import { formatDay } from '../../parts/axis-labels.ts'

const MINUTE_S = 60
const DAY_S = 24 * 60 * MINUTE_S

/** `walls`: of each mark, on the reader's clock: `2026-11-03 12:00:00`; `step` seconds lie between two. */
export function formatChartTimes(walls: readonly string[], step: number): readonly string[] {
  return walls.map((wall, index) => {
    const before = walls[index - 1]
    const isNewDay = before !== undefined && before.slice(0, 10) !== wall.slice(0, 10)
    if (step >= DAY_S || isNewDay) return formatDay(wall)
    return wall.slice(11, step < MINUTE_S ? 19 : 16)
  })
}
