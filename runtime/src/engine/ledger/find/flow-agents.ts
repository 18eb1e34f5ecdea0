/** Whose a flow is. That never changes, so it is asked once; the one that was longest not asked for goes. */
import { LIMITS } from 'rubicon-kernel'
import type { Store } from '../../../ports/store.ts'

export class FlowAgents {
  readonly #store: Pick<Store, 'readFlow'>
  /** In the order in which they were asked for last. */
  readonly #agents = new Map<string, string>()

  constructor(store: Pick<Store, 'readFlow'>) {
    this.#store = store
  }

  async findAgent(dfid: string): Promise<string | null> {
    const known = this.#agents.get(dfid)
    const agent = known ?? (await this.#store.readFlow(dfid))?.agent_id
    if (agent === undefined) return null
    this.#agents.delete(dfid)
    this.#agents.set(dfid, agent)
    const [oldest] = this.#agents.keys()
    if (this.#agents.size > LIMITS.eventFlows && oldest !== undefined) this.#agents.delete(oldest)
    return agent
  }
}
