/**
 * Agents in process: functions that get the flows which timers and events open for them.
 *
 * Boundary: whoever opens a flow does not wait for its agent, and what goes wrong in an agent stays
 * there. The flow is left as it is: the watchdog of its contract finds it.
 */
import { describeErrorPlace } from '../telemetry/error-place.ts'

export type Handler<F> = (flow: F) => unknown

export class Handlers<F extends { readonly dfid: string }> {
  /** Flows that handlers work on now. */
  readonly working: Set<string> = new Set()
  readonly #handlers = new Map<string, Handler<F>>()
  readonly #report: (line: string) => void

  constructor(report: (line: string) => void) {
    this.#report = report
  }

  /** One an agent: the last. */
  setHandler(agent: string, handler: Handler<F>): void {
    this.#handlers.set(agent, handler)
  }

  hasHandler(agent: string): boolean {
    return this.#handlers.has(agent)
  }

  /** Resolves when the handler has ended, however that was. */
  async runHandler(agent: string, flow: F): Promise<void> {
    this.working.add(flow.dfid)
    try {
      await this.#handlers.get(agent)?.(flow)
    } catch (error) {
      // Without its message, which may hold what the agent was shown.
      const { error: kind, where } = describeErrorPlace(error)
      const why = where === undefined ? kind : `${kind} at ${where}`
      this.#report(`rubicon: the handler of ${agent} failed on flow ${flow.dfid}: ${why}`)
    } finally {
      this.working.delete(flow.dfid)
    }
  }
}
