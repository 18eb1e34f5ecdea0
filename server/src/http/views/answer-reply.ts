/**
 * An answer on the wire. A verdict is 200, whatever it says: the agent asked and was answered. What
 * could not be read, was sent to the wrong place, found no room or no rules in force was not judged, and
 * is a problem.
 */
import { type Answer, isReasonCode, REASONS } from 'rubicon-kernel'
import { toProblemReply } from '../problems/problem.ts'
import { type Reply, toReply } from '../schemas/route.ts'

export function answerReply(answer: Answer): Reply {
  const { reason_code: code, feedback } = answer
  if (code === undefined || feedback === undefined || !isUnjudged(answer, code))
    return toReply(answer)
  const { summary, why, fix, details } = feedback
  const problem = toProblemReply({ code, summary, why, fix, meta: details })
  return { ...problem, body: { ...problem.body, answer } }
}

function isUnjudged({ stage, outcome }: Answer, code: string): boolean {
  if (outcome !== 'REJECTED' || !isReasonCode(code)) return false
  if (stage === 'queue' || code === 'FLOW_UNKNOWN' || code === 'RULES_NOT_IN_FORCE') return true
  // A document that was read and found wanting has been judged.
  return REASONS[code].producer === 'parser' && code !== 'SCHEMA_INVALID'
}
