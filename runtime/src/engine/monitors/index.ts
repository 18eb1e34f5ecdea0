/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export type { DeployedMonitorAnswer } from './deploy-monitor.ts'
export { computeMonitorState, getMonitorBounds, type MonitorState } from './monitor-state.ts'
export { listFlowsBehind, loadMonitorSeries, type SeriesOf } from './series.ts'
export { groupStreams } from './streams.ts'
export type { MonitorReport, MonitorStatus } from './sweep.ts'
export { formatTripReason } from './trip.ts'
