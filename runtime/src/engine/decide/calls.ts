/** Acts, under the session that they came with. Without one they come from inside. */
import type { Answer, Failure, OpenedBy, Result } from 'rubicon-kernel'
import {
  type InSession,
  performForAgent,
  performForFlow,
} from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import { readActAnswer } from '../flow/act-answer.ts'
import type { CallNames } from '../flow/call-claims.ts'
import type { Came } from '../flow/call-order.ts'
import { type Acted, type ActOptions, type ActRequest, act } from './act.ts'
import { type ActedOnce, actOnce } from './act-once.ts'

export function performAct(
  context: Context,
  request: ActRequest,
  options: ActOptions = {},
): Promise<Result<Acted, Failure>> {
  return performForAgent(context, request.agent, options, () =>
    act(context, request, toOpenedBy(options), options),
  )
}

type AskedRunner = {
  runAsked<T>(work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>>
}

/** Acts of clients that may ask for one thing twice. */
export class Calls {
  readonly #context: Context
  readonly #runner: AskedRunner

  constructor(context: Context, runner: AskedRunner) {
    this.#context = context
    this.#runner = runner
  }

  /** For a call that waits for something before it is taken up: what is under way now is what it asks for. */
  readCame(): Came {
    return this.#context.callOrder.readCame()
  }

  /** What was asked for before under one of its names, or is under way, is answered with what became of it. */
  act(
    request: ActRequest,
    names: CallNames,
    options: ActOptions = {},
    came: Came = this.readCame(),
  ): Promise<Result<ActedOnce, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForAgent(context, request.agent, options, () =>
        actOnce(context, request, names, toOpenedBy(options), came, options),
      ),
    )
  }

  /** What has become so far of the act that a flow was opened with. */
  readAnswer(dfid: string, options: InSession = {}): Promise<Result<Answer, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForFlow(context, dfid, options, async () => {
        const found = await readActAnswer(context, dfid)
        if (found.ok) context.callOrder.markAnswered(found.value)
        return found
      }),
    )
  }
}

function toOpenedBy({ session }: InSession): OpenedBy {
  return { kind: session === undefined ? 'runtime' : 'session' }
}
