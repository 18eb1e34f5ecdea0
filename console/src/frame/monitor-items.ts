/** Monitors, each by its name and by the agent that it watches. */
import type { MonitorStatus } from 'rubicon-agents/client'
import { toVisibleText } from '../parts/visible-text.ts'
import type { PaletteItem } from './palette-items.ts'

export function listMonitorItems(
  monitors: readonly Pick<MonitorStatus, 'monitor' | 'agent_id'>[],
): readonly PaletteItem[] {
  return monitors.map(({ monitor: { name }, agent_id }) => ({
    label: toVisibleText(name),
    hint: `monitor of ${toVisibleText(agent_id)}`,
    href: `/monitors/${encodeURIComponent(name)}?agent=${encodeURIComponent(agent_id)}`,
  }))
}
