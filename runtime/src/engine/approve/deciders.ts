/** Who could decide a request: by one word at least. */
import { type Failure, LIMITS } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { toRefusalFailure } from '../rows/refusal-failure.ts'
import { type Escalation, loadEscalation } from '../rows/stored-escalation.ts'
import { type DecisionStanding, judgeStanding, type Onlooker } from './brief/standing.ts'

/** Why somebody could decide nothing about it; null: they could. */
export async function findDeciderProblem(
  context: Context,
  body: Escalation,
  who: Onlooker,
): Promise<Failure | null> {
  const flow = await context.store.readFlow(body.request.dfid)
  const standing = flow === null ? null : await judgeStanding(context, body, flow, who)
  const code = standing === null ? 'ESCALATION_UNKNOWN' : pickRefusalCode(standing)
  if (code === null) return null
  if (code !== 'ROLE_MISSING')
    return toRefusalFailure({ code, details: { request: body.request.id } })
  return { code, summary: 'deciding needs the role approver' }
}

/** Of these people, who have the role: the first of those who could decide it. */
export async function listDeciders(
  context: Context,
  id: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const stored = await loadEscalation(context, 'open', id)
  if (stored === null) return []
  const found: string[] = []
  for (const name of names.slice(0, LIMITS.listed)) {
    const problem = await findDeciderProblem(context, stored.body, { name, approver: true })
    if (problem === null) found.push(name)
    if (found.length === NAMED) break
  }
  return found
}

/** As many as a sentence can name. */
const NAMED = 5

/** One word that they may say is enough. */
function pickRefusalCode({ OVERRIDE, MODIFY, ABORT }: DecisionStanding): DecisionStanding['ABORT'] {
  return OVERRIDE === null || MODIFY === null ? null : ABORT
}
