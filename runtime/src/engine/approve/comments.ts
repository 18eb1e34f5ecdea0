/**
 * What people say to each other about a request.
 *
 * Boundary: it is kept beside the request, as a claim is, and never in the ledger: it decides nothing, nobody has to
 * answer for it, and no agent is shown it. What somebody answers for is the reason of their decision.
 *
 * K1 it is said by a person whom somebody knows, and nobody changes or takes out a single one.
 * K2 it goes with its flow: an erasure takes all of a request out, also one that is said at that moment.
 */
import {
  err,
  type Failure,
  isBlank,
  isSamePerson,
  LIMITS,
  NOBODY,
  ok,
  type Persons,
  type Result,
} from 'rubicon-kernel'
import type { RequestComment } from '../../ports/escalation-record.ts'
import type { Store } from '../../ports/store.ts'
import { identifyPerson } from '../authority/persons/person-behind.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { buildFlowErasedFailure, buildNotErasedGuard, isErased } from '../rows/erased-flow.ts'
import { toRefusalFailure } from '../rows/refusal-failure.ts'
import { COMMENTS, ESCALATION_STATES, loadEscalation } from '../rows/stored-escalation.ts'
import type { Onlooker } from './brief/standing.ts'

/** As somebody is shown it. */
export type ShownComment = Omit<RequestComment, 'person'> & {
  /** Whoever looks said it. */
  readonly yours: boolean
}

export async function readComments(
  store: Pick<Store, 'readRecord'>,
  id: string,
): Promise<readonly RequestComment[]> {
  return (await store.readRecord(COMMENTS.record, COMMENTS.group, id))?.body.comments ?? []
}

export function showComments(
  comments: readonly RequestComment[],
  persons: Persons,
  onlooker: string,
): readonly ShownComment[] {
  return comments.map(({ person, ...said }) => ({
    ...said,
    yours: isSamePerson(persons, person, onlooker),
  }))
}

/** Says something about a request, whatever became of it. */
export async function addComment(
  context: Context,
  id: string,
  who: Onlooker,
  text: string,
): Promise<Result<ShownComment, Failure>> {
  const problem = checkText(text)
  if (problem !== null) return err(problem)
  const { store } = context
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const found = await findRequest(context, id)
    if (!found.ok) return found
    const person = await identifySpeaker(context, who)
    if (person === NOBODY)
      return err(toRefusalFailure({ code: 'PERSON_UNKNOWN', details: { approver: who.name } }))
    const held = await store.readRecord(COMMENTS.record, COMMENTS.group, id)
    const before = held?.body.comments ?? []
    if (before.length >= LIMITS.commentsPerRequest) return err(buildTooManyFailure(id))
    const { now } = await store.readNow(found.value.trajectory)
    const said: RequestComment = { at: now, by: who.name, person, text }
    const version = held?.version ?? null
    const outcome = await store.commit({
      guards: [
        { kind: 'record_version', ...COMMENTS, key: id, version },
        buildNotErasedGuard(found.value.dfid),
      ],
      writes: [{ kind: 'put_record', ...COMMENTS, key: id, body: { comments: [...before, said] } }],
    })
    if (outcome.ok) return ok({ at: now, by: who.name, text, yours: true })
  }
  return err(buildContentionFailure('the comments of the request'))
}

type Found = { readonly dfid: string; readonly trajectory: string }

async function findRequest(context: Context, id: string): Promise<Result<Found, Failure>> {
  for (const state of ESCALATION_STATES) {
    const stored = await loadEscalation(context, state, id)
    if (stored === null) continue
    const flow = await context.store.readFlow(stored.body.request.dfid)
    if (flow === null) break
    return isErased(flow) ? err(buildFlowErasedFailure(flow.dfid)) : ok(flow)
  }
  return err(toRefusalFailure({ code: 'ESCALATION_UNKNOWN', details: { request: id } }))
}

async function identifySpeaker(context: Context, { name, ...came }: Onlooker): Promise<string> {
  const authority = await context.authorities.loadLatest()
  return identifyPerson(context, authority, { principal: name, ...came })
}

function checkText(text: string): Failure | null {
  if (!isBlank(text) && text.length <= LIMITS.commentLength && text.isWellFormed()) return null
  return {
    code: 'COMMENT_INVALID',
    summary: 'the comment cannot be kept',
    why: `it is empty, no text, or longer than ${LIMITS.commentLength} characters`,
    fix: 'say it in a few sentences',
  }
}

function buildTooManyFailure(id: string): Failure {
  return {
    code: 'COMMENTS_FULL',
    summary: `request \`${id}\` has ${LIMITS.commentsPerRequest} comments already`,
    why: 'the person who decides could not read more of them',
    fix: 'decide the request, or continue the discussion elsewhere',
  }
}
