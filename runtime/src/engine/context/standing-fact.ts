/**
 * What stands of a path: its owner's last word, or an operator's in front of it.
 *
 * S1 an operator's word stands until its end, whatever the owner says meanwhile.
 * S2 after the end only what the owner said since the operator spoke counts, in the order in which both
 *    were kept, whatever times they name: what was overruled does not come back by itself, and a path
 *    that nobody speaks of is absent.
 * S3 a word counts while whoever said it owns the path, under the label it was said with.
 */
import type { FactOwner } from 'rubicon-kernel'
import type { RecordBodies } from '../../ports/record.ts'
import type { OperatorWord, SaidFact } from '../../ports/said-fact.ts'

export type Words = RecordBodies['observation']
export type StandingFact = SaidFact & Partial<Pick<OperatorWord, 'until'>>

/** In whose name the kernel shows something. */
export const KERNEL_SOURCE = 'kernel'

export function findStandingFact(words: Words, owner: FactOwner, now: string): StandingFact | null {
  const { said, operator } = words
  if (operator !== null && now < operator.until) return operator
  return said !== null && said.overruled === undefined && isOwners(said, owner) ? said : null
}

function isOwners({ source, label }: SaidFact, owner: FactOwner): boolean {
  switch (owner.kind) {
    case 'kernel':
      return source === KERNEL_SOURCE
    case 'agent':
      return source === toAgentSource(owner.agent_id) && label === 'agent'
    case 'source':
      return source === owner.source.source_id && label === owner.source.label
    case 'nobody':
      return false
  }
}

/** Names of sources have no colon, so that an agent is never taken for one. */
export function toAgentSource(agentId: string): string {
  return `agent:${agentId}`
}

export function toOperatorSource(by: string | undefined): string {
  return by === undefined ? 'operator:' : `operator:${by}`
}
