/** Changes that make the case one of a reserved kind, and of the flow that it would compensate. */
import type { CapabilityLaw, ExecutionStatus, SagaFact, SagaStep } from 'rubicon-kernel'
import { AGENT, type Draft } from './case.ts'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutation.ts'

const KINDS = [
  'SPAWN_CHILD',
  'SPAWN_INSTANCE',
  'RESOLVE_ESCALATION',
  'COMPENSATE',
  'ESCALATE',
  'RETIRE',
  'HALT',
] as const
const ACTIONS = ['REVERT', 'CLOSE_ALL', 'ALERT_HUMAN', 'REPAIR'] as const
const STANDINGS = [
  'open',
  'open',
  'open',
  'compensating',
  'with_person',
  'compensated',
  'settled',
  null,
] as const satisfies readonly SagaFact['standing'][]
const STATUSES = [
  'SUCCESS',
  'SUCCESS',
  'SUCCESS',
  'FAILED',
  'ABANDONED',
  'UNKNOWN',
  'NOT_APPLIED',
  'MANUAL_REVIEW',
  'DISPATCHED',
] as const satisfies readonly ExecutionStatus[]
const BOTH = ['REVERT', 'CLOSE_ALL'] as const
const MENUS = [BOTH, BOTH, BOTH, ['REVERT'], ['CLOSE_ALL'], []] as const

/** The engine's own hands: they touch nothing. */
const HANDS: Partial<CapabilityLaw> = {
  validate: () => [],
  measures: () => ({}),
  resources: () => [],
  cost: () => ({}),
  precondition: () => null,
}

function turnInto(draft: Draft, kind: string, chance: Chance): void {
  const { description, proposal, contract, chain } = draft
  proposal.policy_kind = kind
  proposal.grounds = {}
  Object.assign(description, {
    kind,
    effect: 'put_if_match',
    reversible: true,
    reducing: true,
    world_only: true,
    measures: [],
    scopes: {},
    sinks: {},
    cost: {},
  })
  draft.law = { ...HANDS }
  // Sometimes nobody listed it.
  if (contract !== null && !chance.once(6)) contract.permissions.policy_kinds = ['BUY', kind]
  if (!chance.once(6)) for (const body of chain) body.scopes = [{ kind }]
}

function step(chance: Chance, index: number): SagaStep {
  return {
    dfid: 'flow-1',
    step_id: `step-${index}`,
    intent_id: `sha256:${index}`,
    status: chance.pick(STATUSES),
    menu: chance.pick(MENUS),
  }
}

function drawSaga(chance: Chance): SagaFact | null {
  if (chance.once(12)) return null
  return {
    dfid: 'flow-1',
    agent_id: AGENT,
    standing: chance.pick(STANDINGS),
    related: !chance.once(6),
    menu: chance.pick(MENUS),
    steps: Array.from({ length: chance.below(4) }, (_, index) => step(chance, index)),
  }
}

export const RESERVED: Readonly<Record<string, Mutation>> = {
  reservedKind: (draft, chance) => turnInto(draft, chance.pick(KINDS), chance),
  reservedInMaintenance: (draft, chance) => {
    turnInto(draft, chance.pick(KINDS), chance)
    draft.facts.agent.maintenance = true
  },
  compensation: (draft, chance) => {
    turnInto(draft, 'COMPENSATE', chance)
    draft.params = { dfid: 'flow-1', action: chance.pick(ACTIONS) }
    draft.facts.agent.maintenance = chance.once(2)
    const fact = drawSaga(chance)
    draft.late.push(({ facts }) => Object.assign(facts, { saga: fact }))
  },
}
