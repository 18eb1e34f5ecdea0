import type { MonitorStatus } from 'rubicon-agents/client'

export function toMonitorPath({
  monitor,
  agent_id,
}: Pick<MonitorStatus, 'monitor' | 'agent_id'>): string {
  return `/monitors/${encodeURIComponent(monitor.name)}?agent=${encodeURIComponent(agent_id)}`
}
