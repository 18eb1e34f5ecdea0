/**
 * One call of a client as an act of the agent.
 *
 * 1. What a client has cancelled before it was sent to the runtime is not sent. What was sent goes on, and its outcome is
 *    on the record; nobody waits for it here any more.
 * 2. Nothing of a client's `_meta` is passed on: not its token of progress either, under which it alone is told.
 * 3. What is thrown here is never told as "nothing happened" unless the runtime said so.
 */
import type { ServerContext } from '@modelcontextprotocol/server'
import type { ActNames, AgentAnswer } from 'rubicon-agents'
import { isWaiting } from 'rubicon-agents'
import { type JsonObject, LIMITS } from 'rubicon-kernel'
import { sha256 } from 'rubicon-runtime/system'
import { computeCallKey, type ServerNotice } from '../notices/server-notice.ts'
import type { FrontOptions } from './front-options.ts'

/** Clients give a call a minute when nobody says otherwise. */
const CALL_MS = 45_000

export type ClientCall = {
  readonly server: string
  readonly kind: string
  readonly params: JsonObject
  readonly trigger: string
  /** Which calls of its client it belongs to. */
  readonly conversation?: string | undefined
  /** What the client knows the call by; absent: it may be made any number of times. */
  readonly once?: ActNames
}

export async function performAct(
  options: FrontOptions,
  { server, kind, params, trigger, conversation, once }: ClientCall,
  context: ServerContext,
): Promise<AgentAnswer> {
  const { agent, behind, callMs = CALL_MS } = options
  const { signal } = context.mcpReq
  signal.throwIfAborted()
  const call = computeCallKey(kind, params, sha256)
  const pass = createPass(context, { server, call, agent: agent.agent })
  const stop = behind?.follow(pass) ?? (() => {})
  const late = AbortSignal.timeout(callMs)
  try {
    const waitMs = Math.min(callMs, LIMITS.waitMs)
    const named = once === undefined ? {} : { once }
    const grouped = conversation === undefined ? {} : { conversation }
    const wanted = { trigger, policy_kind: kind, params, ...grouped, ...named }
    const answer = await agent.act(wanted, { signal, waitMs })
    if (answer.outcome === 'ESCALATED' || !isUnderWay(answer)) return answer
    const ended = AbortSignal.any([signal, late])
    // It was accepted, whatever keeps us from hearing more: that is what is told, with its flow.
    return await agent.settled(answer.dfid, { signal: ended }).catch(() => answer)
  } finally {
    stop()
  }
}

/** Sent, and not answered yet. An UNKNOWN is for others to find out, which may take until tomorrow. */
function isUnderWay(answer: AgentAnswer): boolean {
  const status = 'execution' in answer ? answer.execution?.status : undefined
  return isWaiting(answer) && status !== 'UNKNOWN' && status !== 'MANUAL_REVIEW'
}

type FollowedCall = { readonly server: string; readonly call: string; readonly agent: string }

/** To the client that called, as long as it waits: progress that goes on, and lines of the server's log. */
function createPass(
  { mcpReq }: ServerContext,
  { server, call, agent }: FollowedCall,
): (notice: ServerNotice) => void {
  const progressToken = mcpReq._meta?.progressToken
  let reached = Number.NEGATIVE_INFINITY
  return (notice) => {
    if (notice.kind === 'changed' || notice.agent !== agent || mcpReq.signal.aborted) return
    if (notice.kind === 'log') {
      if (notice.server !== server) return
      ignoreLoss(mcpReq.log(notice.level, notice.data, notice.logger ?? server))
      return
    }
    const { progress, total, message } = notice
    if (notice.call !== call || progressToken === undefined || progress <= reached) return
    reached = progress
    const said = { progress, total, message }
    ignoreLoss(
      mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, ...JSON.parse(JSON.stringify(said)) },
      }),
    )
  }
}

/** Whoever is gone is told nothing; their call goes on. */
function ignoreLoss(told: Promise<void>): void {
  told.catch(() => {})
}
