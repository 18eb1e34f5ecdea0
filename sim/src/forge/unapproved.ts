/** What nobody approved so: other people, other words, another time, or another thing. */
import {
  computeAddress,
  formatInstant,
  type JsonObject,
  type JsonValue,
  parseInstant,
} from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import {
  type AskedDecision,
  getAsked,
  listAsked,
  replaceApproval,
  replaceBody,
  replaceRequest,
  type Signed,
} from './desk-entries.ts'
import { BUYER, CLERK, CYD, LEAD, OWNER, SOLO, SOLO_WINDOW_S } from './desk-ledger.ts'
import { replaceStep, replaceUsd } from './desk-params.ts'
import type { ForgedLedger } from './forged-ledger.ts'
import { type Forgery, getCommit } from './forgery.ts'
import { suspendAround } from './stopped.ts'

const IN_YEARS = '2999-01-01T00:00:00.000Z'

export const UNAPPROVED: readonly Forgery[] = [
  forgeOverride('the owner approves what is HIGH_IMPACT', CLERK, (ledger, it) => {
    decideAs(ledger, it, getPersons(it).owner, OWNER)
  }),
  forgeOverride('the owner approves, and says that it is allowed', CLERK, (ledger, it) => {
    decideAs(ledger, it, getPersons(it).owner, OWNER, { self_approval: 'allowed' })
  }),
  forgeOverride('the owner is asked, who may not approve', CLERK, (ledger, it) => {
    ledger.change(it.request, replaceRequest(it.request, { self_approval: 'allowed' }))
    decideAs(ledger, it, getPersons(it).owner, OWNER, { self_approval: 'allowed' })
  }),
  forgeOverride('the owner approves as if it were somebody else', SOLO, (ledger, it) => {
    const { self_approval: _, ...payload } = it.approval.payload
    ledger.change(it.approval, payload)
  }),
  forgeOverride('somebody else approves as if it were the owner', SOLO, (ledger, it) => {
    decideAs(ledger, it, getOtherPerson(ledger, it), 'bob@example.com')
  }),
  forgeOverride('somebody approves whom the contract does not name', BUYER, (ledger, it) => {
    decideAs(ledger, it, getOtherPerson(ledger, it), 'bob@example.com')
  }),
  forgeOverride('others are asked than the contract names', BUYER, (ledger, it) => {
    const person = getOtherPerson(ledger, it)
    const persons = { ...getPersons(it), approvers: [person] }
    const changed = { approvers: ['bob@example.com'], persons }
    ledger.change(it.request, replaceRequest(it.request, changed))
    decideAs(ledger, it, person, 'bob@example.com')
  }),
  forgeOverride('people are asked where nobody looks', BUYER, (ledger, it) => {
    ledger.change(it.request, replaceRequest(it.request, { channel: 'friends' }))
  }),
  forgeOverride('nobody knows who approved', CLERK, (ledger, it) => {
    decideAs(ledger, it, 'p_00000000000000000000', 'mallory@example.com')
  }),
  forgeOverride('an operator vouches for somebody whose key has ended', CLERK, (ledger, it) => {
    decideAs(ledger, it, getPersonOfEndedKey(ledger), CYD)
  }),
  forgeOverride('no time to read what is HIGH_IMPACT', BUYER, (ledger, it) => {
    const { requested_at = null } = it.request.payload.request
    ledger.change(it.request, replaceRequest(it.request, { not_before: requested_at }))
  }),
  forgeOverride('approved before it could be read', BUYER, (ledger, it) => {
    const not_before = addMinute(it.approval.envelope.at)
    ledger.change(it.request, replaceRequest(it.request, { not_before }))
  }),
  forgeOverride('approved after the request had expired', BUYER, (ledger, it) => {
    const expires_at = it.approval.envelope.at
    ledger.change(it.request, replaceRequest(it.request, { expires_at }))
  }),
  forgeOverride('a request that ends before its time', BUYER, (ledger, it) => {
    const expires_at = addMinute(it.approval.envelope.at)
    ledger.change(it.request, replaceRequest(it.request, { expires_at }))
  }),
  forgeOverride('run after its approval had ended', CLERK, (ledger, it) => {
    const valid_until = it.ran.envelope.at
    ledger.change(it.approval, replaceBody(it.approval, { valid_until }))
    ledger.change(it.ran, replaceApproval(it.ran, { valid_until }))
  }),
  forgeOverride('fewer approve than were asked', CLERK, (ledger, it) => {
    ledger.change(it.request, replaceRequest(it.request, { needs: 2 }))
  }),
  forgeOverride('its impact was not acknowledged', CLERK, (ledger, it) => {
    const { acknowledged_impact: _, ...body } = it.approval.payload.body
    ledger.change(it.approval, { ...it.approval.payload, body })
  }),
  forgeOverride('HIGH_IMPACT is called LOW_IMPACT', CLERK, (ledger, it) => {
    const low = { impact: 'LOW_IMPACT', impact_reasons: [] }
    ledger.change(it.request, replaceRequest(it.request, low))
  }),
  forgeOverride('a trigger that nobody lifted', CLERK, (ledger, it) => {
    ledger.change(it.approval, replaceBody(it.approval, { lifts: [] }))
    ledger.change(it.ran, replaceApproval(it.ran, { lifts: [] }))
  }),
  forgeOverride('people are asked about other triggers than the law found', CLERK, (ledger, it) => {
    const { triggers } = it.request.payload.request
    const others = [...(triggers as readonly JsonObject[]), { id: 'authority' }]
    ledger.change(it.request, replaceRequest(it.request, { triggers: others }))
  }),
  forgeOverride('an approval lifts what nobody was asked', CLERK, (ledger, it) => {
    const lifts = [...(it.approval.payload.body.lifts as readonly string[]), 'authority']
    ledger.change(it.approval, replaceBody(it.approval, { lifts }))
    ledger.change(it.ran, replaceApproval(it.ran, { lifts }))
  }),
  forgeOverride('a request that waits longer than its contract says', SOLO, (ledger, it) => {
    const expires_at = addMinutes(it.request.payload.request.expires_at, 1)
    ledger.change(it.request, replaceRequest(it.request, { expires_at }))
  }),
  forgeOverride('a request that waits as long as that of another contract', SOLO, (ledger, it) => {
    const expires_at = addMinutes(it.request.payload.request.expires_at, -SOLO_WINDOW_S / 120)
    ledger.change(it.request, replaceRequest(it.request, { expires_at }))
  }),
  forgeOverride('a request that waits for years', BUYER, (ledger, it) => {
    ledger.change(it.request, replaceRequest(it.request, { expires_at: IN_YEARS }))
  }),
  forgeOverride('an approval for years', CLERK, (ledger, it) => {
    ledger.change(it.approval, replaceBody(it.approval, { valid_until: IN_YEARS }))
  }),
  forgeOverride('something else ran than was approved', CLERK, (ledger, it) => {
    ledger.change(it.ran, replaceUsd(it.ran, '9999'))
  }),
  forgeOverride('an approval that was used twice', CLERK, (ledger, it) => {
    const payload = replaceStep(it.ran, 'step-2')
    ledger.insertAfter(getCommit(ledger, it.ran), { ...it.ran, payload, touched: true })
  }),
  forgeOverride('an agent approves what is for people', CLERK, (ledger, it) => {
    const { person: _, ...body } = it.approval.payload.body
    const approver = `agent:${LEAD}`
    const payload = { ...it.approval.payload, body: { ...body, approver }, vouched_by: 'kernel' }
    ledger.change(it.approval, payload)
    ledger.change(it.ran, replaceApproval(it.ran, { approver }))
  }),
  {
    name: 'an agent decides after it was suspended',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      suspendAround(ledger, LEAD, getLeadApproval(ledger))
    },
  },
  {
    name: 'an agent decides otherwise than its step says',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const approval = getLeadApproval(ledger)
      ledger.change(approval, replaceBody(approval, { justification: 'whatever it costs' }))
    },
  },
  {
    name: 'a MODIFY that ran otherwise than it was written',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const it = getAsked(ledger, BUYER, 'MODIFY')
      ledger.change(it.ran, replaceUsd(it.ran, '2601'))
    },
  },
  forgeModification('a MODIFY beyond a limit', '10001', ['law']),
  {
    name: 'a MODIFY that nobody judged',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const { approval } = getAsked(ledger, BUYER, 'MODIFY')
      const { modification: _, ...payload } = approval.payload
      ledger.change(approval, payload)
    },
  },
]

function forgeOverride(
  name: string,
  agent: string,
  forge: (ledger: ForgedLedger, asked: AskedDecision) => void,
): Forgery {
  return {
    name,
    of: 'desk',
    detectors: ['verifiers'],
    forge: (ledger) => forge(ledger, getAsked(ledger, agent, 'OVERRIDE')),
  }
}

/** Everything that names what the person wrote names that. */
function forgeModification(name: string, usd: string, detectors: Forgery['detectors']): Forgery {
  return {
    name,
    of: 'desk',
    detectors,
    forge(ledger) {
      const { approval, ran } = getAsked(ledger, BUYER, 'MODIFY')
      const written = replaceUsd(ran, usd)
      const proposal_hash = computeAddress('proposal', written.proposal, sha256)
      const before = approval.payload.modification as JsonObject
      const acknowledge = `PURCHASE ${usd}`
      const exposure = { ...(before.exposure as JsonObject), value: usd }
      const modification = { ...before, acknowledge, exposure, proposal_hash }
      const digest = computeAddress('modification', modification, sha256)
      const body = { modified: { params: { usd } }, modification: digest }
      const payload = replaceBody(approval, { ...body, acknowledgement: acknowledge })
      ledger.change(approval, { ...payload, modification, releases: proposal_hash })
      ledger.change(ran, replaceApproval({ payload: written }, { binds: proposal_hash }))
    },
  }
}

function getLeadApproval(ledger: ForgedLedger): Signed {
  const decided = listAsked(ledger, CLERK).find(({ approval }) => {
    return approval.payload.body.approver === `agent:${LEAD}`
  })
  if (decided === undefined) throw new Error('the lead decides once')
  return decided.approval
}

function decideAs(
  ledger: ForgedLedger,
  it: AskedDecision,
  person: string,
  approver: string,
  beside: JsonObject = {},
): void {
  ledger.change(it.approval, { ...replaceBody(it.approval, { person, approver }), ...beside })
  ledger.change(it.ran, replaceApproval(it.ran, { approver }))
}

function getPersons({ request }: AskedDecision): {
  readonly owner: string
  readonly approvers: string[]
} {
  return request.payload.request.persons as { owner: string; approvers: string[] }
}

/** Somebody who is registered, and neither the owner nor named. */
function getOtherPerson({ entries }: ForgedLedger, it: AskedDecision): string {
  const { owner, approvers } = getPersons(it)
  const registered = entries.flatMap(({ envelope, payload }) => {
    return envelope.kind === 'person' ? [String((payload as Signed['payload']).body.person_id)] : []
  })
  const other = registered.find((one) => one !== owner && !approvers.includes(one))
  if (other === undefined) throw new Error('more people are registered than are named')
  return other
}

/** Whose key for approving was retired. */
function getPersonOfEndedKey({ entries }: ForgedLedger): string {
  const bodies = entries.map(({ payload }) => (payload as Signed['payload'] | null)?.body)
  const ended = bodies.find((body) => body?.action === 'retire' && body.purpose === 'approver')
  const link = bodies.find((body) => {
    return body?.action === 'link' && (body.identity as JsonObject).key_id === ended?.key_id
  })
  if (ended === undefined || link === undefined) throw new Error('a key for approving has ended')
  return String(link.person_id)
}

function addMinute(at: string): string {
  return addMinutes(at, 1)
}

function addMinutes(at: JsonValue | undefined, minutes: number): string {
  return formatInstant((parseInstant(String(at)) ?? 0) + minutes * 60_000)
}
