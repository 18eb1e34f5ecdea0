/** Whether a call may be made under the session that it came with. Without one it comes from inside. */
import {
  type Answer,
  assert,
  err,
  type Failure,
  isReasonCode,
  type ReasonCode,
  type Result,
} from 'rubicon-kernel'
import type { Context } from '../context.ts'
import { unstored } from '../reject.ts'
import { foreignSession, readSession } from './sessions.ts'

export type InSession = {
  /** The token of a handshake. Absent: the call is made in process, for the agent of its flow. */
  readonly session?: string
}

/** Does the work if the session speaks for the agent. */
export async function forAgent<T>(
  context: Context,
  agent: string,
  { session }: InSession,
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  if (session === undefined) return work()
  const read = await readSession(context, session)
  if (!read.ok) return read
  return read.value.agent_id === agent ? work() : err(foreignSession(agent))
}

/** Does the work if the flow is one of the session's agent. */
export async function forFlow<T>(
  context: Context,
  dfid: string,
  options: InSession,
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const problem = await flowProblem(context, dfid, options)
  return problem === null ? work() : err(problem)
}

/** Why the flow is not for this session, or null. A flow that nobody knows is for its door to name. */
async function flowProblem(
  context: Context,
  dfid: string,
  { session }: InSession,
): Promise<Failure | null> {
  if (session === undefined) return null
  const read = await readSession(context, session)
  if (!read.ok) return read.error
  const flow = await context.store.flow(dfid)
  if (flow === null || flow.agent_id === read.value.agent_id) return null
  return {
    code: 'IDENTITY_MISMATCH',
    summary: `flow \`${dfid}\` is not one of \`${read.value.agent_id}\``,
    why: 'identity comes from the session, never from the body',
    fix: 'use a flow of your own',
  }
}

/** For proposals: answered, not recorded, and no retry is used up. */
export async function sessionAnswer(
  context: Context,
  dfid: string,
  options: InSession,
): Promise<Answer | null> {
  const problem = await flowProblem(context, dfid, options)
  return problem === null ? null : failureAnswer(dfid, problem)
}

export function failureAnswer(dfid: string, { code, why }: Failure): Answer {
  return unstored(dfid, known(code), 'queue', why === undefined ? {} : { why })
}

function known(code: string): ReasonCode {
  assert(isReasonCode(code), 'what a session is refused for is a reason code')
  return code
}
