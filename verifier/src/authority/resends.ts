/**
 * What is sent again. There is no new intent: the kernel signs what it looked at, what the law said of
 * it, and until when it may leave.
 */
import { isAllowedInMaintenance, listRecheckedStages, type ResendPayload } from 'rubicon-kernel'
import type { Intent } from '../compact-records/flow-rows.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { AuthorityState } from './authority-state.ts'
import { findNewerFactsProblems, findOutcomeProblems } from './intents.ts'
import { findSpeakerKey, findSpeakerProblems } from './speaker.ts'
import { findRuleOrderProblems, findStandingProblems } from './standing.ts'

/** What is sent again is an effect like the first: it answers to everything of its own moment. */
export function foldResent(
  state: AuthorityState,
  entry: ReadEntry,
  payload: ResendPayload,
): string[] {
  const { intent_id, first, send } = payload.body
  const { at } = entry.envelope
  const found = [
    ...findOutcomeProblems(state, entry, intent_id),
    ...findNewerFactsProblems(entry, payload.facts),
  ]
  if (at >= payload.body.send_before) found.push('it was sent after its deadline')
  const known = state.intents.get(intent_id)
  if (known === undefined) return found
  const sends = known.sends ?? send - 1
  state.intents.set(intent_id, { ...known, sends: send })
  if (known.trajectory !== first.trajectory || known.seq !== first.seq)
    found.push('the first dispatch is at another place than it states')
  if (send !== sends + 1) found.push(`send ${send} follows send ${sends}`)
  if (known.hashes === null) found.push('it was committed before')
  found.push(...findRejudgementProblems(state, known, payload, at))
  return [
    ...found,
    ...findRuleOrderProblems(state, known, at),
    ...findStandingProblems(state, known, at),
  ]
}

/** What was looked at once more, and what the law said of it. */
function findRejudgementProblems(
  state: AuthorityState,
  known: Intent,
  { facts, trace }: ResendPayload,
  at: string,
): string[] {
  const found: string[] = []
  if (findSpeakerKey(facts.auth) !== known.speaker)
    found.push('its proposal was sent with another key than when it was decided')
  found.push(...findSpeakerProblems(state.keys, facts.auth, known.agent))
  if (known.approvedUntil !== null && at >= known.approvedUntil)
    found.push('its approval had expired')
  const { ruledBy: by } = known
  if (by !== null && facts.agent.maintenance && !isAllowedInMaintenance(by.kind))
    found.push('its agent was in maintenance')
  const stages = listRecheckedStages(by === null)
  const isWhole =
    trace.length === stages.length && trace.every(({ stage }, i) => stage === stages[i])
  if (!isWhole || trace.some(({ said }) => said === 'reject'))
    found.push('it was not judged again, or was refused when it was')
  return found
}
