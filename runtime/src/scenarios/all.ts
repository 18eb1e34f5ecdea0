/** The scenarios that `rubicon demo` knows, each loaded when it is played. */
import type { Scenario } from './stage.ts'

export type Listed = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Scenario>
}

export const SCENARIOS: readonly Listed[] = [
  {
    name: 'comma-catastrophe',
    summary: 'an order a thousand times too large, and a note that says to ignore the limits',
    load: async () => (await import('./comma-catastrophe.ts')).scenario,
  },
  {
    name: 'idempotency',
    summary: 'one step has one effect: repeated, raced, and killed between effect and record',
    load: async () => (await import('./idempotency.ts')).scenario,
  },
  {
    name: 'dim-gates',
    summary: 'five gates, each refusing one proposal that fails only there, and one that passes',
    load: async () => (await import('./dim-gates.ts')).scenario,
  },
  {
    name: 'dfid-propagation',
    summary: 'four agents, one decision, one id: the audit query tells the whole story',
    load: async () => (await import('./dfid-propagation.ts')).scenario,
  },
  {
    name: 'retry-governor',
    summary: 'an agent that argues: the third rejection ends the flow, restarts do not forgive',
    load: async () => (await import('./retry-governor.ts')).scenario,
  },
]
