/** Which way the rules ask a decision to come, worked out once more from their rows as they were recorded. */
import type { PolicyPayload, TopologyRow } from 'rubicon-kernel'
import type { Line } from './report.ts'

/** The strictest last. */
const WAYS = ['EOAM', 'SDS', 'DL_PCI'] as const
type Way = (typeof WAYS)[number]

/** What decides about the way. */
export type ClassedDecision = {
  readonly rules: string
  /** The agent, and the class that it is an instance of. */
  readonly agents: readonly string[]
  readonly kind: string
  /** Of the event that woke the flow. */
  readonly topic: string | null
}

export class AskedClasses {
  /** By the hash of the rules that hold them. */
  readonly #rows = new Map<string, readonly TopologyRow[]>()

  add({ kind, payload }: Line): void {
    if (kind !== 'policy') return
    const { body } = payload as PolicyPayload
    if ('rules' in body) this.#rows.set(body.rules_hash, body.rules.topologies ?? [])
  }

  /** Null: none in particular. */
  find({ rules, agents, kind, topic }: ClassedDecision): Way | null {
    const asked = (this.#rows.get(rules) ?? []).filter((row) => {
      const isWho = row.agents === undefined || agents.some((one) => row.agents?.includes(one))
      const isAll = row.topics === undefined && row.policy_kinds === undefined
      const isTopic = (row.topics ?? []).some((one) => isAbout(one, topic))
      return isWho && (isAll || isTopic || row.policy_kinds?.includes(kind) === true)
    })
    return WAYS.findLast((way) => asked.some(({ topology }) => topology === way)) ?? null
  }
}

function isAbout(pattern: string, topic: string | null): boolean {
  if (topic === null) return false
  return pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : topic === pattern
}
