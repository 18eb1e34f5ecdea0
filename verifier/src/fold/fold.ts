/**
 * Was everything that was done lawful, by the ledger's own word? Hashes and signatures say who wrote
 * what; a kernel key that is misused, or an engine that is wrong, signs what it should not.
 *
 * Boundary: what every intent stands on (agent, contract, writs, rules, approvals) is checked beside it;
 * here, whether it is one that could be made, and whether what became of it could.
 */
import type {
  AcceptedPayload,
  Contract,
  DelegationPayload,
  PayloadOf,
  SignedIntent,
  WritBody,
} from 'rubicon-kernel'
import type { AuthorityState } from '../authority-state.ts'
import type { ReadEntry } from '../read-entry.ts'
import type { Problem } from '../report.ts'
import { asProposed } from './as-proposed.ts'
import { askedProblems, capabilityAsked, modifiedProblems } from './asked.ts'
import { type Budgets, createBudgets, tooCheap } from './budgets.ts'
import { type Capabilities, createCapabilities } from './capabilities.ts'
import type { Folded, FoldedIntent } from './folded-intent.ts'
import { chainOf, grantProblems, windowProblems } from './granted.ts'
import { deadlineProblems, lateProblems } from './in-time.ts'
import { createSteps, type Steps } from './steps.ts'
import { createWindows, type Windows } from './windows.ts'

export type Fold = { readonly check: (entry: ReadEntry) => readonly Problem[] }

type State = {
  readonly authority: AuthorityState
  readonly capabilities: Capabilities
  readonly steps: Steps
  readonly budgets: Budgets
  readonly windows: Windows
  /** Flows of which something was erased: what is missing may have been there. */
  readonly erased: Set<string>
  /** Requests that nobody has decided: when, and about which capability. */
  readonly asked: Map<string, { readonly capability: string | null; readonly requested_at: string }>
  /** Flows that have ended: nothing is begun in them any more. */
  readonly ended: Set<string>
}

/** After `authority` has taken in the same entry. */
export function createFold(authority: AuthorityState): Fold {
  const erased = new Set<string>()
  const state: State = {
    authority,
    capabilities: createCapabilities(),
    steps: createSteps(),
    // A writ that was issued by hand may be used in any flow.
    budgets: createBudgets(
      (nonce) => erased.has(nonce) || (erased.size > 0 && !authority.flows.has(nonce)),
    ),
    windows: createWindows(),
    erased,
    asked: new Map(),
    ended: new Set(),
  }
  return {
    check: (entry) =>
      details(state, entry).map((detail) => ({ code: 'AUTHORITY_ORDER' as const, detail })),
  }
}

function details(state: State, entry: ReadEntry): readonly string[] {
  const { envelope, payload, payloadText } = entry
  const { dfid = '' } = envelope
  if (payloadText === null) state.erased.add(dfid)
  if (payload === null) return []
  switch (payload.kind) {
    case 'policy':
      state.capabilities.fold(payload.payload.body)
      return []
    case 'writ':
      return issued(state, payload.payload.writ.body)
    case 'delegation':
      return returned(state, payload.payload)
    case 'accepted':
      return decided(state, entry, payload.payload, 'ACCEPTED')
    case 'dispatch':
      return sent(state, entry, payload.payload)
    case 'resend': {
      const { intent_id, why } = payload.payload.body
      const found = state.steps.sendAgain(intent_id, why)
      return state.erased.has(dfid) ? [] : found
    }
    case 'evidence':
      learned(state, payload.payload)
      return []
    case 'settle':
      return settled(state, dfid, payload.payload)
    case 'commit':
      return committed(state, dfid, payload.payload)
    case 'rejection':
      if (payload.payload.ended_flow !== undefined) state.ended.add(dfid)
      return []
    case 'pending_approval':
      return asked(state, payload.payload, envelope.at)
    case 'approval':
      return answered(state, dfid, payload.payload, envelope.at)
    default:
      return []
  }
}

function asked(
  state: State,
  payload: PayloadOf['pending_approval'],
  at: string,
): readonly string[] {
  const { id, requested_at } = payload.request
  const capability = capabilityAsked(payload)
  if (!state.asked.has(id)) state.asked.set(id, { capability, requested_at })
  return askedProblems(payload, state.capabilities.get(capability ?? ''), at)
}

function answered(
  state: State,
  dfid: string,
  { body, modification, releases }: PayloadOf['approval'],
  at: string,
): readonly string[] {
  const { decision, request_id } = body
  const isAbort = decision === 'ABORT' || decision === 'EXPIRED'
  if (isAbort) state.ended.add(dfid)
  const about = state.asked.get(request_id)
  if (isAbort || releases !== null) state.asked.delete(request_id)
  if (modification === undefined || about === undefined) return []
  const { capability, requested_at } = about
  return modifiedProblems(modification, requested_at, state.capabilities.get(capability ?? ''), at)
}

/** A child holds its whole budget of its parent's. */
function issued({ authority, budgets }: State, { parent, budget }: WritBody): readonly string[] {
  const above = parent === undefined ? undefined : authority.writs.get(parent)
  return above === undefined ? [] : budgets.reserve(above, budget)
}

function returned(
  { authority, budgets }: State,
  { writ_id, returned: amounts }: DelegationPayload,
): readonly string[] {
  const child = authority.writs.get(writ_id)
  const parent = child?.parent === undefined ? undefined : authority.writs.get(child.parent)
  if (amounts === undefined || child === undefined || parent === undefined) return []
  return budgets.giveBack(child, parent, amounts)
}

function sent(state: State, entry: ReadEntry, payload: PayloadOf['dispatch']): readonly string[] {
  const { dfid = '', at } = entry.envelope
  if ('intent' in payload) return decided(state, entry, payload, 'DISPATCHED')
  const { steps, erased, ended } = state
  const known = steps.get(payload.intent_id)
  const found = steps.carryOut(payload.intent_id)
  if (erased.has(dfid)) return []
  if (ended.has(dfid)) found.push('its flow had ended')
  if (known === undefined || known === 'settled') return found
  found.push(...lateProblems(known, at))
  const contract = readableContract(state, known.agent, known.contract)
  return contract === undefined ? found : [...found, ...windowProblems(contract, payload.facts.now)]
}

/** Where an intent first stands. */
function decided(
  state: State,
  { envelope }: ReadEntry,
  payload: AcceptedPayload,
  status: 'ACCEPTED' | 'DISPATCHED',
): readonly string[] {
  const { intent, proposal, facts } = payload
  const { dfid } = intent
  const folded = foldedOf(state, intent, status)
  const claimed = state.steps.claim(intent.intent_id, folded)
  const found = state.erased.has(dfid) ? [] : claimed
  const writ = state.authority.writs.get(intent.writ_id)
  const json = facts as unknown as Parameters<typeof deadlineProblems>[2]
  found.push(...deadlineProblems(intent, proposal, json, writ?.window.expires_at))
  if (status === 'DISPATCHED') found.push(...lateProblems(intent, envelope.at))
  found.push(...asProposed(payload))
  if (folded.undoes) return found
  if (state.ended.has(dfid) && !state.erased.has(dfid)) found.push('its flow had ended')
  return [...found, ...grants(state, payload), ...costs(state, intent, writ)]
}

function foldedOf(
  state: State,
  intent: SignedIntent,
  status: FoldedIntent['status'],
): FoldedIntent {
  return {
    dfid: intent.dfid,
    step: intent.step_id,
    writ: intent.writ_id,
    cost: intent.cost,
    agent: intent.agent_id,
    contract: intent.contract_hash,
    staged_at: intent.staged_at,
    dispatch_before: intent.dispatch_before,
    undoes: intent.compensation !== undefined,
    effect: state.capabilities.get(intent.capability_hash)?.effect ?? null,
    status,
    found: null,
  }
}

function grants(state: State, { intent, facts }: AcceptedPayload): readonly string[] {
  const deployed = state.authority.contracts.get(intent.agent_id, intent.contract_hash)
  const description = state.capabilities.get(intent.capability_hash)
  // That there is none is found where authority and rules are looked at.
  if (deployed === undefined || description === undefined) return []
  if (!deployed.isReadable) return ['its contract cannot be read']
  const { contract } = deployed
  const found = windowProblems(contract, intent.staged_at)
  if (intent.capability !== `${intent.policy_kind}@${description.version}`)
    found.push('it names another capability')
  if (contract.safety_rules.requires_signature && facts?.auth.kind === 'session')
    found.push('its contract asks for a signature of its agent')
  const chain = chainOf(state.authority.writs, intent.writ_id)
  found.push(...grantProblems(intent, contract, chain, description))
  if (tooCheap(intent.cost, description.cost ?? {})) found.push('it costs less than it must')
  return found
}

function costs(state: State, intent: SignedIntent, writ: WritBody | undefined): readonly string[] {
  const found = writ === undefined ? [] : state.budgets.reserve(writ, intent.cost)
  const contract = readableContract(state, intent.agent_id, intent.contract_hash)
  if (contract === undefined) return found
  const window = state.windows.reserve(contract, intent.staged_at, intent.cost)
  return state.erased.size > 0 ? found : [...found, ...window]
}

function readableContract({ authority }: State, agent: string, hash: string): Contract | undefined {
  const deployed = authority.contracts.get(agent, hash)
  return deployed?.isReadable === true ? deployed.contract : undefined
}

function learned({ steps, budgets, authority }: State, payload: PayloadOf['evidence']): void {
  if ('intent_id' in payload) {
    const { source, finding } = payload
    steps.learn(payload.intent_id, { source, finding })
  } else if ('used' in payload) {
    const writ = authority.writs.get(payload.writ_id)
    if (writ !== undefined) budgets.report(writ, payload.used)
  }
}

function settled(
  state: State,
  dfid: string,
  { intent_id, status, reason_code }: PayloadOf['settle'],
): readonly string[] {
  if (reason_code === 'FLOW_CANCELLED') state.ended.add(dfid)
  const known = state.steps.get(intent_id)
  const isUnsent = known !== undefined && known !== 'settled' && known.status === 'ACCEPTED'
  const found = state.steps.settle(intent_id, status)
  if (status === 'FAILED' || (status === 'ABANDONED' && isUnsent)) release(state, known, {})
  return state.erased.has(dfid) ? [] : found
}

function committed(
  state: State,
  dfid: string,
  { intent_id, cost }: PayloadOf['commit'],
): readonly string[] {
  const known = state.steps.get(intent_id)
  const found = state.steps.settle(intent_id, 'SUCCESS')
  release(state, known, cost)
  return state.erased.has(dfid) ? [] : found
}

function release(
  state: State,
  known: Folded | undefined,
  spent: PayloadOf['commit']['cost'],
): void {
  if (known === undefined || known === 'settled' || known.undoes) return
  const { writ: id, cost, agent, contract: hash, staged_at } = known
  const writ = state.authority.writs.get(id)
  if (writ !== undefined) state.budgets.release(writ, cost, spent)
  const contract = readableContract(state, agent, hash)
  if (contract !== undefined) state.windows.release(contract, staged_at, cost, spent)
}
