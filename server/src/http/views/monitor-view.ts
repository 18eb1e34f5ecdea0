/** A monitor as it is shown. */

import type { MonitorState, MonitorStatus } from 'rubicon-runtime/engine/monitors'

export type MonitorView = MonitorStatus & {
  readonly state: MonitorState
  /** The rule. */
  readonly sentence: string
}
