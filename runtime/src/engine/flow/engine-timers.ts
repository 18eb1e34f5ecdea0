/** Timers as they are set and removed: by this process, and by an agent for itself. */
import { type Failure, ok, type Result } from 'rubicon-kernel'
import {
  type InSession,
  performForAgent,
  performForFlow,
} from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import type { CallRunner } from '../oversight.ts'
import { type ClaimedFlow, claimFlow } from './flow-claim.ts'
import {
  type FlowTimer,
  listOwnTimers,
  schedule,
  type TimerRequest,
  toOwnName,
  unschedule,
} from './timers.ts'

export class Timers {
  readonly #context: Context
  readonly #runner: CallRunner
  readonly #wake: () => void

  /** `wake`: whoever looks for what is due looks again. */
  constructor(context: Context, runner: CallRunner, wake: () => void) {
    this.#context = context
    this.#runner = runner
    this.#wake = wake
  }

  /** A timer that opens a flow, once or again and again; one of the same name is replaced. */
  async schedule(request: TimerRequest): Promise<Result<FlowTimer, Failure>> {
    const scheduled = await this.#runner.runAsked(() => schedule(this.#context, request))
    this.#wake()
    return scheduled
  }

  /** One of several processes of an agent takes up a flow that an event woke. */
  claim(dfid: string, by: string, options: InSession = {}): Promise<Result<ClaimedFlow, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForFlow(context, dfid, options, () => claimFlow(context, dfid, by)),
    )
  }

  unschedule(name: string): Promise<Result<FlowTimer, Failure>> {
    return this.#runner.runAsked(() => unschedule(this.#context, name))
  }

  /** By the agent itself: the name is its own, whoever else has one like it. */
  async setOwn(
    request: TimerRequest,
    options: InSession = {},
  ): Promise<Result<FlowTimer, Failure>> {
    const context = this.#context
    const set = await this.#runner.runAsked(() =>
      performForAgent(context, request.agent, options, () => schedule(context, request, true)),
    )
    this.#wake()
    return set
  }

  own(agent: string, options: InSession = {}): Promise<Result<readonly FlowTimer[], Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForAgent(context, agent, options, async () => ok(await listOwnTimers(context, agent))),
    )
  }

  dropOwn(
    agent: string,
    name: string,
    options: InSession = {},
  ): Promise<Result<FlowTimer, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForAgent(context, agent, options, () => unschedule(context, toOwnName(agent, name))),
    )
  }
}
