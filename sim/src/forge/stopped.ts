/** Agents that act though they were stopped, and agents that take more than they have, bit by bit. */
import { computeAddress, type JsonObject } from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { listAsked, replaceBody, type Signed } from './desk-entries.ts'
import { BUYER } from './desk-ledger.ts'
import { replaceCost } from './desk-params.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import { type Decision, dispatchOf, type Forgery, getCommit, pickDecision } from './forgery.ts'

const CLOSED = { salt: '', source: 'agent', finding: 'closed' }

export const STOPPED: readonly Forgery[] = [
  {
    name: 'an agent is suspended, and acts',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      suspendAround(ledger, getAgentId(decision), decision)
    },
  },
  {
    name: 'an agent is suspended, and what was accepted is sent',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      suspendAround(ledger, getAgentId(decision), dispatchOf(ledger, decision))
    },
  },
  {
    name: 'a flow is opened for an agent that is suspended',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      const writ = ledger.entries.find(({ envelope }) => {
        return envelope.kind === 'writ' && envelope.dfid === decision.envelope.dfid
      })
      if (writ === undefined) throw new Error('a flow begins with its writ')
      suspendAround(ledger, getAgentId(decision), writ)
    },
  },
  {
    name: 'half a job is left, and its agent goes on',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.insertBefore(decision, buildHalfDoneEntry(decision))
    },
  },
  {
    name: 'a flow is closed by its agent, and a step of it is done',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const step = getStepDecision(ledger, 'step-2')
      ledger.insertBefore(step, buildFlowEntry(step, 'evidence', CLOSED))
    },
  },
  {
    name: 'a flow is closed by its agent while a step of it is on its way',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const commit = getCommit(ledger, getStepDecision(ledger, 'step-2'))
      ledger.insertBefore(commit, buildFlowEntry(commit, 'evidence', CLOSED))
    },
  },
  {
    name: 'a flow is closed, and the entry names none',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const commit = getCommit(ledger, getStepDecision(ledger, 'step-2'))
      const { envelope, payload } = buildFlowEntry(commit, 'evidence', CLOSED)
      const { dfid: _, ...nowhere } = envelope
      ledger.insertAfter(commit, { envelope: nowhere, payload })
    },
  },
  {
    name: 'a flow is cancelled, and a step of it is done',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const step = getStepDecision(ledger, 'step-2')
      const why = { stage: 'queue', gate: null, reason_code: 'FLOW_CANCELLED', details: {} }
      const cancelled = { salt: '', attempt: 1, received: '', trace: [], ...why }
      ledger.insertBefore(step, buildFlowEntry(step, 'rejection', cancelled))
    },
  },
  {
    name: 'an instance lives longer than its step asked for',
    of: 'desk',
    detectors: ['verifiers'],
    forge: (ledger) => changeSpawned(ledger, { until: { at: LATER }, ends_at: LATER }, LATER),
  },
  {
    name: 'an instance lives longer than its occasion says',
    of: 'desk',
    detectors: ['verifiers'],
    forge: (ledger) => changeSpawned(ledger, { ends_at: LATER }, LATER),
  },
  {
    name: 'each step is inside its budget, and their sum is not',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      for (const step of ['step-1', 'step-2']) spend(ledger, getStepDecision(ledger, step), '10001')
    },
  },
  {
    name: 'each flow is inside its budget, and the window of their agent is not',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const asked = listAsked(ledger, BUYER).map(({ ran }) => ran)
      for (const decision of [...asked, getStepDecision(ledger, 'step-1')])
        spend(ledger, decision, '19000')
    },
  },
]

const LATER = '2999-01-01T00:00:00.000Z'

/** The instance that the lead has made, with another occasion and a contract that ends with it. */
function changeSpawned(ledger: ForgedLedger, changed: JsonObject, effective_until: string): void {
  const entry = ledger.entries.find((one): one is Signed => {
    const body = one.payload?.body as JsonObject | undefined
    return one.envelope.kind === 'contract' && body?.occasion !== undefined
  })
  if (entry === undefined) throw new Error('the lead has an instance made')
  const { body } = entry.payload
  const contract = { ...(body.contract as JsonObject), effective_until }
  const contract_hash = computeAddress('contract', contract, sha256)
  const occasion = { ...(body.occasion as JsonObject), ...changed }
  ledger.change(entry, replaceBody(entry, { contract, contract_hash, occasion }))
}

function getAgentId({ payload }: Decision): string {
  return String(payload.intent.agent_id)
}

/** Stopped by an operator in front of an entry, and let go on behind it. */
export function suspendAround(ledger: ForgedLedger, agent_id: string, entry: ForgedEntry): void {
  const next = ledger.entries[ledger.entries.indexOf(entry) + 1]
  const move = { agent_id, actor: 'operator', by: 'jane.doe@example.com', justification: 'forged' }
  if (next !== undefined)
    ledger.insertAuthorityBefore(next, 'lifecycle', { ...move, from: 'SUSPENDED', to: 'ACTIVE' })
  ledger.insertAuthorityBefore(entry, 'lifecycle', { ...move, from: 'ACTIVE', to: 'SUSPENDED' })
}

export function buildHalfDoneEntry(decision: Pick<ForgedEntry, 'envelope'>): ForgedEntry {
  const payload = { salt: '', source: 'saga', status: 'PARTIAL_SUCCESS_DIRTY', details: {} }
  return buildFlowEntry(decision, 'evidence', payload)
}

function buildFlowEntry(
  { envelope }: Pick<ForgedEntry, 'envelope'>,
  kind: 'evidence' | 'rejection',
  payload: JsonObject,
): ForgedEntry {
  const { authority_seq: _, ...rest } = envelope
  return { envelope: { ...rest, kind }, payload }
}

export function getStepDecision({ entries }: ForgedLedger, step_id: string): Decision {
  const many = entries.find(({ payload }) => {
    return (payload?.flow as JsonObject | undefined)?.steps === 'many'
  })
  const found = entries.find((entry): entry is Decision => {
    const intent = entry.payload?.intent as JsonObject | undefined
    return entry.envelope.dfid === many?.envelope.dfid && intent?.step_id === step_id
  })
  if (found === undefined) throw new Error('a flow has two steps')
  return found
}

/** What was reserved was spent. */
function spend(ledger: ForgedLedger, decision: Decision, usd: string): void {
  const commit = getCommit(ledger, decision)
  ledger.change(commit, { ...commit.payload, cost: { calls: '1', usd } })
  ledger.change(decision, replaceCost(decision, usd))
}
