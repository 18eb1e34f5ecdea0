/**
 * MAINTENANCE_MODE: an agent with a dirty flow does nothing else until that is put right. It is
 * counted, so that a decision reads it with its other counters, and a dispatch guards it: no flow
 * of the agent gets past the unit that made one of them dirty.
 */
import type { Guard, Write } from '../../ports/store.ts'

/** There is no space in the names of other counters. */
export function toMaintenanceCounter(agent: string): string {
  return `dirty ${agent}`
}

/** No flow of the agent is dirty. */
export function buildMaintenanceGuard(agent: string): Guard {
  return { kind: 'counter', id: toMaintenanceCounter(agent), by: 0, limit: 0 }
}

export function countDirty(agent: string, by: 1 | -1): Write {
  return { kind: 'count', id: toMaintenanceCounter(agent), by }
}
