/**
 * Flows that somebody else opens for an agent: timers, events, other agents. The ledger rings at each opening; what
 * this connection opens itself is not handed to it a second time.
 *
 * Boundary: another process of the same agent rings here too. A flow that an event woke is claimed before it is handed on;
 * of the others a step is done once, whoever proposes it.
 */
import type { FlowHandler } from '../agent/agent-connection.ts'
import { AgentError, toAgentError } from '../agent/agent-error.ts'
import type { AgentFlow } from '../agent/agent-flow.ts'
import { type EntryEvent, type EventFilters, type Listening, listen } from '../events.ts'
import type { AgentWire } from './agent-wire.ts'

type ListenTerms = {
  readonly url: string
  readonly fetch?: typeof fetch
  readonly onError: (error: unknown) => void
}

/** More are not remembered: the bell of an opening comes within seconds. */
const OWN_MOST = 1_000

export class OpenedFlows {
  readonly #wire: AgentWire
  readonly #agent: string
  readonly #resume: (dfid: string) => Promise<AgentFlow>
  readonly #terms: ListenTerms
  /** By which this connection claims flows. */
  readonly #replica: string = `replica-${crypto.randomUUID()}`
  readonly #own = new Set<string>()
  readonly #opening = new Set<Promise<unknown>>()
  readonly #listening: Listening[] = []
  #handler: FlowHandler | null = null

  constructor(
    wire: AgentWire,
    agent: string,
    resume: (dfid: string) => Promise<AgentFlow>,
    terms: ListenTerms,
  ) {
    this.#wire = wire
    this.#agent = agent
    this.#resume = resume
    this.#terms = terms
  }

  /** What this connection opens. */
  async track<Opened extends { readonly dfid: string }>(opening: Promise<Opened>): Promise<Opened> {
    this.#opening.add(opening)
    try {
      const opened = await opening
      this.#own.add(opened.dfid)
      const [oldest] = this.#own
      if (this.#own.size > OWN_MOST && oldest !== undefined) this.#own.delete(oldest)
      return opened
    } finally {
      this.#opening.delete(opening)
    }
  }

  handle(handler: FlowHandler): void {
    const isFirst = this.#handler === null
    this.#handler = handler
    if (!isFirst) return
    this.listen(({ dfid }) => void this.#hand(dfid ?? ''), { kind: 'writ' })
  }

  listen(onEvent: (entry: EntryEvent) => void, filters: EventFilters = {}): void {
    const { url, fetch, onError } = this.#terms
    const wire = this.#wire
    const listening = listen({
      url,
      ...(fetch === undefined ? {} : { fetch }),
      filters: { agent: this.#agent, ...filters },
      headers: async (sent) => {
        await wire.ensureSession()
        return wire.signHeaders(sent)
      },
      onEvent,
      recover: (problem) => wire.recover(problem),
      onRefused: (problem) => onError(toAgentError(problem)),
    })
    this.#listening.push(listening)
  }

  stop(): void {
    for (const listening of this.#listening) listening.stop()
  }

  /** False: another process of the agent has it. A flow that no event woke needs no claim. */
  async #claim(dfid: string): Promise<boolean> {
    try {
      const asked = { params: { dfid }, body: { by: this.#replica } }
      await this.#wire.perform((client) => client.claimFlow(asked))
      return true
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      if (error.code === 'FLOW_CLAIMED') return false
      if (error.code === 'CLAIM_UNKNOWN') return true
      throw error
    }
  }

  async #hand(dfid: string): Promise<void> {
    // Whose opening it is, is known once those under way have been answered.
    await Promise.allSettled(this.#opening)
    if (this.#own.has(dfid)) return
    try {
      if (!(await this.#claim(dfid))) return
      await this.#handler?.(await this.#resume(dfid))
    } catch (error) {
      // Another process of the agent, or its end, came first.
      if (!(error instanceof AgentError && error.code === 'FLOW_NOT_OPEN'))
        this.#terms.onError(error)
    }
  }
}
