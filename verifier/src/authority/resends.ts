/**
 * What is sent again. There is no new intent: the kernel signs what it looked at, what the law said of
 * it, and until when it may leave.
 */
import {
  computeAddressOfText,
  isAllowedInMaintenance,
  listRecheckedStages,
  type ResendPayload,
  toPositionAfter,
} from 'rubicon-kernel'
import type { Intent } from '../packed/flow-rows.ts'
import { getMemberTexts, type ReadEntry, toPlace } from '../reading/read-entry.ts'
import { traceAddress } from '../report/misfits.ts'
import type { SignatureInput } from '../signatures/verify-signatures.ts'
import type { AuthorityState } from './authority-state.ts'
import { findNewerFactsProblems, findOutcomeProblems } from './intents.ts'
import { findSpeakerKey, findSpeakerProblems } from './speaker.ts'
import { findRuleOrderProblems, findStandingProblems } from './standing.ts'

/** What it names is what it holds, and a kernel key of its place signed it. */
export function resendDetails(
  { entry, ring, sha256 }: SignatureInput,
  { body, signature }: ResendPayload,
): string[] {
  const found: string[] = []
  const texts = getMemberTexts(entry)
  if (computeAddressOfText('facts', texts.getText('facts'), sha256) !== body.facts_hash)
    found.push('facts_hash does not fit')
  if (traceAddress(texts.getText('trace'), sha256) !== body.policy_trace_hash)
    found.push('policy_trace_hash does not fit')
  const problem = ring.judge({
    type: 'resend',
    body: texts.getText('body'),
    signature,
    purpose: 'kernel',
    position: toPositionAfter(entry.envelope.authority_seq ?? -1),
    place: toPlace(entry),
  })
  return problem === undefined ? found : [...found, problem]
}

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
  if (at >= payload.body.send_before) found.push('it was sent later than it may be')
  const known = state.intents.get(intent_id)
  if (known === undefined) return found
  const sends = known.sends ?? send - 1
  state.intents.set(intent_id, { ...known, sends: send })
  if (known.trajectory !== first.trajectory || known.seq !== first.seq)
    found.push('the first dispatch is elsewhere')
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
    found.push('somebody else spoke when it was decided')
  found.push(...findSpeakerProblems(state.keys, facts.auth, known.agent))
  if (known.approvedUntil !== null && at >= known.approvedUntil) found.push('its approval was over')
  const { ruledBy: by } = known
  if (by !== null && facts.agent.maintenance && !isAllowedInMaintenance(by.kind))
    found.push('its agent was in maintenance')
  const stages = listRecheckedStages(by === null)
  const isWhole =
    trace.length === stages.length && trace.every(({ stage }, i) => stage === stages[i])
  if (!isWhole || trace.some(({ said }) => said === 'reject'))
    found.push('it was not judged again, or did not pass')
  return found
}
