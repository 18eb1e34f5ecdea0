/** What watches the sum of what agents of the storm do. */
import { type Monitor, parseMonitor } from 'rubicon-kernel'
import type { Swarm } from './swarm.ts'

export const WATCHED: readonly string[] = ['trader', 'clerk']
export const WATCHED_KINDS: readonly string[] = ['PAY', 'WIRE', 'TRADE']
export const WINDOW = 5
export const LEAST = 3

const parsed = new Map<string, Monitor>()

export function getStormMonitor({ meanAmount: max }: Pick<Swarm, 'meanAmount'>): Monitor {
  const known = parsed.get(max) ?? parseOne(max)
  parsed.set(max, known)
  return known
}

function parseOne(max: string): Monitor {
  const monitor = parseMonitor({
    api_version: 'rubicon/v1',
    kind: 'Monitor',
    name: 'mean_amount',
    agents: [...WATCHED],
    policy_kinds: [...WATCHED_KINDS],
    statuses: ['SUCCESS'],
    statistic: { kind: 'mean', value: 'measure:amount', max },
    window: { executions: WINDOW },
    min_samples: LEAST,
  })
  if (!monitor.ok) throw new Error(JSON.stringify(monitor.error))
  return monitor.value
}
