/** What is asked of the server under load: who asks, when, and for what. Made before the clock runs. */
import type { Rng } from '../../sim/src/rng.ts'
import { ALONE, EVER } from './fill-cast.ts'

/** One request. `at`: when it is due, in milliseconds from the start. */
export type Planned = {
  readonly at: number
  readonly kind: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** The number of a person, or of an agent. */
  readonly by: { readonly person: number } | { readonly agent: number }
}

/** A flow that waits for the proposal of its agent. */
export type OpenFlow = {
  readonly agent: number
  readonly agent_id: string
  readonly dfid: string
  readonly context_ref: string
  readonly mission_context_hash: string
}

export type PlanOptions = {
  readonly rng: Rng
  readonly seconds: number
  readonly perSecond: number
  readonly people: number
  readonly agents: readonly string[]
  /** One for each proposal. */
  readonly flows: readonly OpenFlow[]
}

/** One of so many requests is a proposal. */
export const PROPOSAL_EVERY = 10

/**
 * Who reads, in a hundred reads: most are programs that look at the flow they are in, ask for what they
 * know or whether we are there; a quarter are people with the console open.
 */
const READS = {
  flow: 38,
  own_flows: 10,
  schema: 6,
  health: 8,
  ready: 3,
  flows: 10,
  flows_of_state: 5,
  flows_of_agent: 4,
  inbox: 4,
  escalations: 2,
  executions: 3,
  agents: 2,
  monitors: 2,
  ledger: 3,
} as const

type Read = keyof typeof READS

export function buildPlan(options: PlanOptions): readonly Planned[] {
  const { rng, seconds, perSecond, flows } = options
  const left = [...flows]
  return Array.from({ length: seconds * perSecond }, (_, i): Planned => {
    // Fixed times: whoever waits for a stalled server does not stop asking.
    const at = (i * 1000) / perSecond
    const isProposal = i % PROPOSAL_EVERY === 0
    const flow = isProposal ? left.pop() : undefined
    return flow === undefined ? read(options, at) : propose(rng, flow, at)
  })
}

function propose(rng: Rng, flow: OpenFlow, at: number): Planned {
  const { agent, agent_id, dfid, context_ref, mission_context_hash } = flow
  const verdict = rng.pickWeighted({ accepted: 88, rejected: 10, escalated: 2 })
  const small = rng.drawBetween(1, ALONE / 2)
  const amount = { accepted: small, rejected: EVER + 1, escalated: ALONE + 1 }[verdict]
  const params = { order: `api_${dfid}`, amount: `${amount}.00` }
  const proposal = { dfid, agent_id, context_ref, mission_context_hash, params }
  return {
    at,
    kind: 'proposal',
    method: 'POST',
    path: `/v1/flows/${dfid}/proposals`,
    body: JSON.stringify({ ...proposal, policy_kind: 'REFUND' }),
    by: { agent },
  }
}

function read({ rng, people, agents, flows }: PlanOptions, at: number): Planned {
  const kind = rng.pickWeighted<Read>(READS)
  const isOwn = kind === 'own_flows' || kind === 'schema'
  const by = isOwn ? { agent: rng.drawBelow(agents.length) } : { person: rng.drawBelow(people) }
  const path = toPath(kind, rng.pick(agents), flows.length === 0 ? '' : rng.pick(flows).dfid)
  return { at, kind, method: 'GET', path, by }
}

function toPath(kind: Read, agent: string, dfid: string): string {
  switch (kind) {
    case 'own_flows':
      return '/v1/flows?limit=25'
    // As the console asks: a page, as long as it is unless said.
    case 'flows':
      return '/v1/flows'
    case 'flows_of_state':
      return '/v1/flows?state=ESCALATED'
    case 'flows_of_agent':
      return `/v1/flows?agent=${agent}`
    case 'flow':
      return `/v1/flows/${dfid}`
    case 'inbox':
      return '/v1/inbox'
    case 'escalations':
      return '/v1/escalations'
    case 'executions':
      return '/v1/executions'
    case 'agents':
      return '/v1/agents'
    case 'monitors':
      return '/v1/monitors'
    case 'ledger':
      return '/v1/ledger/entries'
    case 'schema':
      return '/v1/schemas/policy/latest'
    case 'health':
      return '/healthz'
    case 'ready':
      return '/readyz'
  }
}
