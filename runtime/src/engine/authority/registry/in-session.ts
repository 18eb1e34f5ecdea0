/** Whether a call may be made under the session that it came with. Without one it comes from inside. */
import {
  type Answer,
  assert,
  err,
  type Failure,
  isReasonCode,
  ok,
  type ReasonCode,
  type Result,
} from 'rubicon-kernel'
import type { Context } from '../../engine-context.ts'
import { buildUnstoredAnswer } from '../../rows/answer.ts'
import { buildForeignSessionFailure, type LiveSession, readSession } from './sessions.ts'

export type InSession = {
  /** The token of a handshake. Absent: the call is made in process, for the agent of its flow. */
  readonly session?: string
  /** In process: the agent that the flow has to be of, where whoever asks is one and not the runtime itself. */
  readonly agent?: string
}

/** Does the work if the session speaks for the agent. */
export async function performForAgent<T>(
  context: Context,
  agent: string,
  { session }: InSession,
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  if (session === undefined) return work()
  const read = await readSession(context, session)
  if (!read.ok) return read
  return read.value.agent_id === agent ? work() : err(buildForeignSessionFailure(agent))
}

/** Does the work if the flow is one of the session's agent. */
export async function performForFlow<T>(
  context: Context,
  dfid: string,
  options: InSession,
  work: () => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const { firstUse } = context
  if (firstUse.isFirst(dfid)) await firstUse.check(dfid)
  const speaker = await loadFlowSession(context, dfid, options)
  return speaker.ok ? work() : speaker
}

/** The session, where the flow is one of its agent's; null: the call comes from inside. */
async function loadFlowSession(
  context: Context,
  dfid: string,
  { session, agent }: InSession,
): Promise<Result<LiveSession | null, Failure>> {
  const read = session === undefined ? ok(null) : await readSession(context, session)
  if (!read.ok) return read
  const speaker = read.value?.agent_id ?? agent
  if (speaker === undefined) return read
  const flow = await context.store.readFlow(dfid)
  // A flow that nobody knows is for its door to name.
  if (flow === null || flow.agent_id === speaker) return read
  return err({
    code: 'IDENTITY_MISMATCH',
    summary: `flow \`${dfid}\` is not one of \`${speaker}\``,
    why: 'identity comes from the session, never from the body',
    fix: 'use a flow of your own',
  })
}

/** For proposals: a refusal is answered, not recorded, and uses up no retry. */
export async function loadProposalSession(
  context: Context,
  dfid: string,
  options: InSession,
): Promise<Result<LiveSession | null, Answer>> {
  const speaker = await loadFlowSession(context, dfid, options)
  return speaker.ok ? speaker : err(toFailureAnswer(dfid, speaker.error))
}

export function toFailureAnswer(dfid: string, { code, why }: Failure): Answer {
  return buildUnstoredAnswer(
    dfid,
    assertReasonCode(code),
    'queue',
    why === undefined ? {} : { why },
  )
}

function assertReasonCode(code: string): ReasonCode {
  assert(isReasonCode(code), 'what a session is refused for is a reason code')
  return code
}
