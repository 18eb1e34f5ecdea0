/** A flow that did half of its job, as far as the law reads it. */
import type { Address } from '../canonical/address.ts'
import type { ExecutionStatus } from '../execution/outcome.ts'

/**
 * Where a dirty flow stands: nobody has chosen yet; a choice is being carried out; a person has it;
 * or it is over, because everything was taken back or because a person says so.
 */
export type SagaStanding = 'open' | 'compensating' | 'with_person' | 'compensated' | 'settled'

/** An effect of the flow, or of a flow below it, that has not been taken back. */
export type SagaStep = {
  readonly dfid: string
  readonly step_id: string
  readonly intent_id: Address
  readonly status: ExecutionStatus
  /** What its capability can do about it. */
  readonly menu: readonly string[]
}

export type SagaFact = {
  readonly dfid: string
  readonly agent_id: string
  /** Null: the flow is not dirty and never was. */
  readonly standing: SagaStanding | null
  /** The flow that proposes is of the same agent, or of the one that answers for it. */
  readonly related: boolean
  /** What the contract of the dirty flow lists. */
  readonly menu: readonly string[]
  /** In the order in which they succeeded; those without an outcome last. None where there is nothing to choose. */
  readonly steps: readonly SagaStep[]
}
