/**
 * Flows that somebody else opens for an agent: timers, events, other agents. The ledger rings at each opening; what
 * this connection opens itself is not handed to it a second time.
 *
 * Boundary: another process of the same agent rings here too. A flow that an event woke is claimed before it is handed on,
 * and again while its handler works; of the others a step is done once, whoever proposes it.
 *
 * O1 who finds a flow claimed looks again when that claim would be over: a process that died leaves its flows to the others.
 * O2 a flow whose opening was heard is handed on, however many open at once and whatever is between: it rings only once.
 */
import { LIMITS } from 'rubicon-kernel/limits'
import { EVENT_LIMITS } from 'rubicon-kernel/topology'
import type { FlowHandler } from '../agent/agent-connection.ts'
import { AgentError, toAgentError } from '../agent/agent-error.ts'
import type { AgentFlow } from '../agent/agent-flow.ts'
import { type EntryEvent, type EventFilters, type Listening, listen } from '../events.ts'
import type { AgentWire } from './agent-wire.ts'
import { FewAtOnce } from './few-at-once.ts'
import { isPassing } from './problem-kinds.ts'

type ListenTerms = {
  readonly url: string
  readonly fetch?: typeof fetch
  readonly onError: (error: unknown) => void
}

/** `patience`: for each time that it is asked; without it, for as long as it takes. */
type Resume = (dfid: string, patience?: () => AbortSignal) => Promise<AgentFlow>

/** More are not remembered: the bell of an opening comes within seconds. */
const OWN_MOST = 1_000
/** Flows of others that are looked at again; of more, nobody here takes one over. */
const WAITING_MOST = 1_000
/** Of what the runtime lets an agent ask at once: other processes of the agent ask too, and so do handlers. */
const HANDED_AT_ONCE = LIMITS.requestsUnderWay / 8
/** Until somebody who could not be reached is asked again. */
const UNREACHED_MS = 5_000

export class OpenedFlows {
  readonly #wire: AgentWire
  readonly #agent: string
  readonly #resume: Resume
  readonly #terms: ListenTerms
  /** By which this connection claims flows. */
  readonly #replica: string = `replica-${crypto.randomUUID()}`
  readonly #own = new Set<string>()
  readonly #opening = new Set<Promise<unknown>>()
  readonly #listening: Listening[] = []
  readonly #asking = new FewAtOnce(HANDED_AT_ONCE)
  #handler: FlowHandler | null = null
  #waiting = 0

  constructor(wire: AgentWire, agent: string, resume: Resume, terms: ListenTerms) {
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

  /** `unneeded`: no event woke it, or somebody has worked on it. */
  async #claim(dfid: string): Promise<'ours' | 'taken' | 'unneeded'> {
    try {
      const asked = { params: { dfid }, body: { by: this.#replica } }
      await this.#wire.perform((client) => {
        return client.claimFlow({ ...asked, signal: this.#wire.createPatience() })
      })
      return 'ours'
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      if (error.code === 'FLOW_CLAIMED') return 'taken'
      if (error.code === 'CLAIM_UNKNOWN') return 'unneeded'
      throw error
    }
  }

  /** Null: another process has worked on it, or this one hears nothing more. */
  async #awaitClaim(dfid: string): Promise<'ours' | 'unneeded' | null> {
    let claimed = await this.#reach(() => this.#claim(dfid))
    if (claimed !== 'taken') return claimed
    if (this.#waiting >= WAITING_MOST) return null
    this.#waiting += 1
    try {
      for (; claimed === 'taken'; claimed = await this.#reach(() => this.#claim(dfid))) {
        await this.#wire.wait(EVENT_LIMITS.claimMs)
        if (this.#wire.state.kind === 'ended') return null
      }
    } finally {
      this.#waiting -= 1
    }
    // Whoever had it has proposed something meanwhile.
    return claimed === 'ours' ? claimed : null
  }

  /** By O2. Null: this connection has ended, or the answer is needed no longer. */
  async #reach<Answer>(ask: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer | null> {
    while (this.#wire.state.kind !== 'ended' && signal?.aborted !== true) {
      try {
        return await this.#asking.run(ask)
      } catch (error) {
        if (!isPassing(error)) throw error
      }
      await this.#wire.wait(UNREACHED_MS * (0.5 + Math.random() / 2), signal)
    }
    return null
  }

  /** Until the signal: the time of a claim is shorter than many a model needs. */
  async #keepClaim(dfid: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#wire.wait(EVENT_LIMITS.claimMs / 2, signal)
      if (signal.aborted || this.#wire.state.kind === 'ended') return
      // A claim that is refused costs nothing but work that is done twice; nobody has to hear of it.
      const claimed = await this.#reach(() => this.#claim(dfid), signal).catch(() => null)
      if (claimed !== 'ours') return
    }
  }

  async #hand(dfid: string): Promise<void> {
    // Whose opening it is, is known once those under way have been answered.
    await Promise.allSettled(this.#opening)
    if (this.#own.has(dfid)) return
    const done = new AbortController()
    try {
      const claimed = await this.#awaitClaim(dfid)
      if (claimed === null) return
      if (claimed === 'ours') void this.#keepClaim(dfid, done.signal)
      const flow = await this.#reach(() => this.#resume(dfid, () => this.#wire.createPatience()))
      if (flow !== null) await this.#handler?.(flow)
    } catch (error) {
      // Another process of the agent, or its end, came first.
      if (!(error instanceof AgentError && error.code === 'FLOW_NOT_OPEN'))
        this.#terms.onError(error)
    } finally {
      done.abort()
    }
  }
}
