/** A monitor as it is shown. */

import type { MonitorState } from '../../engine/monitors/monitor-state.ts'
import type { MonitorStatus } from '../../engine/monitors/sweep.ts'

export type MonitorView = MonitorStatus & {
  readonly state: MonitorState
  /** The rule. */
  readonly sentence: string
}
