/**
 * Carries out what was approved. Everything is gathered and compiled again: an approval lifts its
 * triggers, and a revocation, a moved price or a held resource stops it like anything else.
 *
 * L1 an approval is used once: whatever the release leads to takes the record away in the same unit.
 * L2 what an agent let pass waits until others of its event have been heard; a sweep finds it then.
 * L3 a release that dies is found by the next sweep; a step that was claimed is not claimed twice.
 */
import { type Answer, isStandingAt, LIMITS } from 'rubicon-kernel'
import { isReleaseDeferred } from '../arbitrate/enter-event.ts'
import { judgeOnce } from '../decide/propose.ts'
import type { Context } from '../engine-context.ts'
import { loadDecision } from '../judge/load-decision.ts'
import { type Received, receiveProposal } from '../judge/receive.ts'
import {
  buildEndedEscalation,
  loadEscalation,
  type StoredEscalation,
  toAskingSession,
} from '../rows/stored-escalation.ts'

/** What became of it; null: it does not wait for its release any more, or still does. */
export async function release(
  context: Context,
  id: string,
  waitMs: number = LIMITS.waitMs,
): Promise<Answer | null> {
  const started = context.clock.monotonic()
  while (context.clock.monotonic() - started < LIMITS.dispatchWithinMs) {
    const stored = await loadEscalation(context, 'approved', id)
    const received = stored === null ? null : receiveApprovedProposal(context, stored)
    if (stored === null || received === null || !isCarriedOut(context, received)) return null
    const loaded = await loadDecision(context, stored.body.request.dfid, received.proposal)
    if (loaded === null) return null
    const { flow, now, authority_seq } = loaded.view
    const authority = await context.authorities.loadCurrent(authority_seq)
    // It waits for a process whose rules are in force.
    if (!isStandingAt(context.standing.getStanding(authority), now)) return null
    if (flow.state !== 'ESCALATED') {
      // It has gone on without it.
      await context.store.commit(buildEndedEscalation(stored, 'approved', 'moot', now))
      return null
    }
    const { approval } = stored.body
    if (await isReleaseDeferred(context, flow, received.proposal, approval)) return null
    await context.failpoints.reach('release.before_commit')
    const released = attachRelease(stored, received, now)
    const judge = (watched: Context): Promise<Answer | null> =>
      judgeOnce(watched, loaded, released, started, waitMs)
    const { signals } = context
    const answer = await (signals?.release(context, flow.dfid, judge) ?? judge(context))
    if (answer !== null) return answer
  }
  return null
}

/** Without the capability nothing can be said about what was approved; another engine has it. */
function isCarriedOut({ book }: Context, { proposal }: Received): boolean {
  return book.capability(proposal.policy_kind) !== undefined
}

/** The bytes that were shown, or those that a person put in their place. */
function receiveApprovedProposal({ sha256 }: Context, { body }: StoredEscalation): Received | null {
  const { proposal, approval, received: bytes } = body
  if (typeof proposal !== 'object' || proposal === null || approval === null) return null
  const received = receiveProposal(proposal, sha256)
  if (!received.ok) return null
  const said = { ...received.value, session: toAskingSession(body) }
  return approval.decision === 'OVERRIDE' ? { ...said, received: bytes } : said
}

function attachRelease(stored: StoredEscalation, received: Received, now: string): Received {
  const { approval } = stored.body
  if (approval === null) return received
  const unit = buildEndedEscalation(stored, 'approved', 'released', now)
  return { ...received, release: { approval, unit } }
}
