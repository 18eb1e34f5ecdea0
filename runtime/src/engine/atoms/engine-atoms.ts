/** Atoms as they are asked for: by the agent of a flow, and with its opening. */
import type { Failure, Result, SignedAtom } from 'rubicon-kernel'
import { type InSession, performForFlow } from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import type { CallRunner } from '../oversight.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { type AtomRequest, issueAtom } from './issue-atom.ts'
import { issueOpeningAtom } from './opening-atom.ts'

export class Atoms {
  readonly #context: Context
  readonly #runner: CallRunner

  constructor(context: Context, runner: CallRunner) {
    this.#context = context
    this.#runner = runner
  }

  /** Settles what is known of a decision before it is thought out; good for a minute and one dispatch. */
  issue(
    dfid: string,
    request: AtomRequest = {},
    options: InSession = {},
  ): Promise<Result<SignedAtom, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(() =>
      performForFlow(context, dfid, options, () => issueAtom(context, dfid, request)),
    )
  }

  /** The first atom of a flow that was just opened, where the rules ask its agent for atoms. */
  createForOpening(opened: OpenedFlow): Promise<SignedAtom | null> {
    return this.#runner.runGuarded(() => issueOpeningAtom(this.#context, opened))
  }
}
