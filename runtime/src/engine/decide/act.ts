/**
 * One act: a flow is opened and decided in with one unit of work, for whoever knows at once what it wants.
 *
 * A1 the entries, guards and verdicts are those of opening a flow and proposing in it; the flow can be shown,
 *    waited for and gone on with like any other.
 * A2 nobody was handed a context, so that the agent says what it relied on; what the contract demands and it
 *    does not say refuses (`CONTEXT_REQUIRED`).
 * A3 where nothing is recorded (the runtime is overloaded, its rules are not in force), nothing is opened.
 */
import {
  type Answer,
  checkJson,
  err,
  type Failure,
  isObject,
  LIMITS,
  type OpenedBy,
  ok,
  type Result,
  resolveJitFields,
} from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import { greet } from '../authority/registry/handshake.ts'
import { compileReliedContext, type ReliedFact } from '../context/relied-context.ts'
import type { Context } from '../engine-context.ts'
import { HeldOpening } from '../flow/held-opening.ts'
import { type OpenRequest, toLastingFailure } from '../flow/open.ts'
import { checkOpening } from '../flow/opening-request.ts'
import {
  type CompileOpening,
  holdOpening,
  type PreparedOpening,
  prepareOpening,
  rememberOpening,
} from '../flow/prepare-opening.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { type ProposeOptions, propose } from './propose.ts'

/** What is wanted, why, and on what ground; other members are those of a proposal. */
export type ActRequest = Pick<OpenRequest, 'agent' | 'trigger' | 'trajectory' | 'steps'> & {
  /** Of the capability that is wanted. */
  readonly policy_kind: string
  /** What it is called with; its schema is the capability's. */
  readonly params?: object
  /** The facts that the agent relied on. */
  readonly seen?: readonly ReliedFact[]
} & Readonly<Record<string, unknown>>

/** `beside`: what must hold and is written in the unit that opens the flow, by its name. */
export type ActOptions = ProposeOptions & { readonly beside?: (dfid: string) => Unit }

const NOTHING: Unit = { guards: [], writes: [] }

export type Acted = { readonly opened: OpenedFlow; readonly answer: Answer }

export async function act(
  context: Context,
  { agent, trigger, trajectory, steps, seen = [], ...proposal }: ActRequest,
  by: OpenedBy,
  { beside = () => NOTHING, ...options }: ActOptions = {},
): Promise<Result<Acted, Failure>> {
  const problem = checkOpening({ trigger, dfid: proposal.dfid, by })
  if (problem !== null) return err(problem)
  const greeted = await greet(context, agent)
  if (!greeted.ok) return greeted
  const place = trajectory === undefined ? {} : { trajectory }
  const request = { agent, trigger, by, ...place, ...(steps === undefined ? {} : { steps }) }
  const moving = listMovingPaths(context, proposal)
  const compile: CompileOpening = (own, wanted) =>
    compileReliedContext(own, wanted, { seen, moving })
  const { authorities, writs } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const began = context.signals?.readMoment()
    const prepared = await prepareOpening(context, authorities, writs, request, compile)
    if (!prepared.ok) return prepared
    const { opened, compiled } = prepared.value
    const also = beside(opened.flow.dfid)
    const held = new HeldOpening(context.store, prepared.value, also, () => {
      rememberOpening(context, writs, prepared.value)
      if (began !== undefined) context.signals?.recordOpened(opened, began, compiled)
    })
    const answer = await decideHeld(context, held, prepared.value, proposal, options)
    if (held.failed === undefined) return ok({ opened, answer })
    const lasting = await toLastingFailure(context.store, held.failed)
    if (lasting !== null) return err(lasting)
  }
  return err({
    code: 'STORE_CONTENTION',
    summary: 'the act could not be decided',
    fix: 'try again',
  })
}

/** Whoever judges finds what it needs of the flow in memory, and nowhere else as long as it is not written. */
async function decideHeld(
  context: Context,
  { store }: HeldOpening,
  prepared: PreparedOpening,
  proposal: object,
  options: ProposeOptions,
): Promise<Answer> {
  const release = holdOpening(context, context.writs, prepared)
  try {
    return await propose({ ...context, store }, prepared.opened.flow.dfid, proposal, options)
  } finally {
    release()
  }
}

/** What must not have moved since the agent saw it, as far as the capability can say. */
function listMovingPaths(
  { book }: Context,
  { policy_kind, params }: Readonly<Record<string, unknown>>,
): readonly string[] {
  const law = typeof policy_kind === 'string' ? book.rules.capability(policy_kind) : undefined
  const checked = checkJson(params)
  if (law === undefined || !checked.ok || !isObject(checked.value)) return []
  const fields = resolveJitFields(law, checked.value) ?? {}
  return Object.values(fields).map(({ path }) => path)
}
