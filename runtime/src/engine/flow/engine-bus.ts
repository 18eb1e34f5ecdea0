/** The bus as a process uses it: agents that listen, and messages that nobody could send. */
import type { Failure, Result } from 'rubicon-kernel'
import type { Unsubscribe } from '../../ports/bus.ts'
import type { Context } from '../engine-context.ts'
import type { CallRunner } from '../oversight.ts'
import { checkHint, type HintHandler, subscribeAgent } from './bus-hints.ts'
import { type BusLetter, listDeadLetters, replayDeadLetter, sendLetters } from './bus-outbox.ts'

export class BusDesk {
  readonly #context: Context
  readonly #runner: CallRunner
  readonly #wake: () => void
  #end: Unsubscribe | null = null

  /** `wake`: whoever looks for what is due looks again. */
  constructor(context: Context, runner: CallRunner, wake: () => void) {
    this.#context = context
    this.#runner = runner
    this.#wake = wake
  }

  /** Hears of every event, to open at once what other processes took in. */
  async start(): Promise<void> {
    const { bus } = this.#context
    if (bus === undefined || this.#end !== null) return
    const hear = async (delivery: Parameters<typeof checkHint>[1]): Promise<void> => {
      if ((await checkHint(this.#context, delivery)) !== null) this.#wake()
    }
    this.#end = await bus.subscribe('*', hear, { agent_id: null })
  }

  async stop(): Promise<void> {
    await this.#end?.()
    this.#end = null
  }

  /** An agent in process hears of the events that wake it, on a topic that its contract names. */
  subscribe(
    agent: string,
    topic: string,
    handler: HintHandler,
  ): Promise<Result<Unsubscribe, Failure>> {
    return this.#runner.runAsked(() => subscribeAgent(this.#context, agent, topic, handler))
  }

  send(): Promise<number> {
    return sendLetters(this.#context)
  }

  listDeadLetters(range: {
    readonly after?: string
    readonly limit: number
  }): Promise<readonly BusLetter[]> {
    return listDeadLetters(this.#context, range)
  }

  async replay(id: string): Promise<Result<BusLetter, Failure>> {
    const replayed = await this.#runner.runAsked(() => replayDeadLetter(this.#context, id))
    this.#wake()
    return replayed
  }
}
