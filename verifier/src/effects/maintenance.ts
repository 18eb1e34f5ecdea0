/**
 * An agent with a flow that is half done does nothing else until that is put right: by the ledger's own
 * word, whatever the facts of a decision say of it.
 */
import { isAllowedInMaintenance, type PayloadOf } from 'rubicon-kernel'

export type Maintenance = {
  /** What is said of a flow of the agent. */
  readonly learn: (agent: string, dfid: string, payload: PayloadOf['evidence']) => void
  /** Why nothing of that kind is begun, or sent, for the agent here. */
  readonly findProblems: (agent: string, kind: string) => string[]
}

export function createMaintenance(): Maintenance {
  /** Agent → its flows that are half done. */
  const dirty = new Map<string, Set<string>>()
  return {
    learn(agent, dfid, payload) {
      const status = payload.source === 'saga' ? payload.status : null
      const flows = dirty.get(agent) ?? new Set()
      if (status === 'PARTIAL_SUCCESS_DIRTY') dirty.set(agent, flows.add(dfid))
      else if (status === 'COMPENSATED' || status === 'SETTLED') flows.delete(dfid)
    },
    findProblems(agent, kind) {
      const isHalfDone = (dirty.get(agent)?.size ?? 0) > 0
      return isHalfDone && !isAllowedInMaintenance(kind) ? ['its agent is in maintenance'] : []
    },
  }
}
