/** People are shown, or asked to type, something else than what runs on their word. */
import { computeAddress, type JsonObject } from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import {
  type AskedDecision,
  getAsked,
  replaceApproval,
  replaceBody,
  replaceRequest,
} from './desk-entries.ts'
import { BUYER, CLERK } from './desk-ledger.ts'
import type { ForgedLedger } from './forged-ledger.ts'
import type { Decision, Forgery } from './forgery.ts'

export const MISLED: readonly Forgery[] = [
  forgeAsked('people are shown another proposal than runs', CLERK, (ledger, { request }) => {
    ledger.change(request, { ...request.payload, proposal: buildSmallProposal(request.payload) })
  }),
  forgeAsked(
    'people are asked about what they are shown, and something else runs',
    CLERK,
    replaceShown,
  ),
  forgeAsked('people are asked about what runs without being shown it', CLERK, (ledger, it) => {
    const { salt = '', attempt = 1, request } = it.request.payload
    ledger.change(it.request, { salt, attempt, request: { ...request, kind: 'silence' } })
  }),
  forgeAsked('people are asked about another step than they are shown', BUYER, (ledger, it) => {
    ledger.change(it.request, replaceRequest(it.request, { step_id: 'step-7' }))
  }),
  forgeAsked('HIGH_IMPACT is typed with words that say nothing of it', CLERK, (ledger, it) => {
    const acknowledge = 'PURCHASE 1'
    ledger.change(it.request, replaceRequest(it.request, { acknowledge }))
    ledger.change(it.approval, replaceBody(it.approval, { acknowledgement: acknowledge }))
  }),
  forgeAsked('what cannot be taken back is shown as if it could', CLERK, (ledger, it) => {
    const { reversible } = it.request.payload.request
    ledger.change(it.request, replaceRequest(it.request, { reversible: reversible !== true }))
  }),
  {
    name: 'a MODIFY with more changed than the person wrote',
    of: 'desk',
    detectors: ['verifiers'],
    forge: (ledger) => widen(ledger, getAsked(ledger, BUYER, 'MODIFY')),
  },
]

function forgeAsked(
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

function buildSmallProposal({ proposal }: JsonObject): JsonObject {
  return { ...(proposal as JsonObject), params: { usd: '1' } }
}

function replaceShown(ledger: ForgedLedger, { request }: AskedDecision): void {
  const proposal = buildSmallProposal(request.payload)
  const proposal_hash = computeAddress('proposal', proposal, sha256)
  ledger.change(request, { ...replaceRequest(request, { proposal_hash }), proposal })
}

/** Everything that names what was written names what runs. */
function widen(ledger: ForgedLedger, { approval, ran }: AskedDecision): void {
  const execution_constraints = { max_price: '9999' }
  const proposal = { ...ran.payload.proposal, execution_constraints }
  const intent = { ...ran.payload.intent, constraints: execution_constraints }
  const written: Decision['payload'] = { ...ran.payload, proposal, intent }
  const proposal_hash = computeAddress('proposal', proposal, sha256)
  const modification = { ...(approval.payload.modification as JsonObject), proposal_hash }
  const digest = computeAddress('modification', modification, sha256)
  const payload = replaceBody(approval, { modification: digest })
  ledger.change(approval, { ...payload, modification, releases: proposal_hash })
  ledger.change(ran, replaceApproval({ payload: written }, { binds: proposal_hash }))
}
