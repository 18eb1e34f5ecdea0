/** Rolling windows over what was carried out. */
export { parseDuration } from './duration.ts'
export { isSampledStatus, type Monitor, type Statistic } from './monitor.ts'
export { hashMonitor, listMonitorsInForce, type MonitorInForce } from './monitors-in-force.ts'
export { parseMonitor } from './parse-monitor.ts'
export { createReader, listSources, type Sample, toWatchedText } from './sample.ts'
export { parseSource } from './source.ts'
export { buildThresholdMonitor } from './threshold-name.ts'
export { type MonitorBreach, type MonitorVerdict, RollingWindow } from './window.ts'
