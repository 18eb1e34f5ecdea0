/** Finds in the ledger what was carried out, in tree order, with what was asked and said about it. */
import {
  type Address,
  type CommitPayload,
  type DecisionRecord,
  findPinnedContract,
  isObject,
  isReserved,
  type JsonValue,
  type PolicyProposal,
  parseProposal,
  type SignedIntent,
} from 'rubicon-kernel'
import type { AuditedStep } from '../../ports/semantic-auditor.ts'
import type { FlowRow, LeafEntry, StoredEntry } from '../../ports/store.ts'
import type { AuthorityCache } from '../authority/authority-cache.ts'
import type { Deps } from '../deps.ts'
import type { Subject } from './opinion.ts'

const PAGE = 200

export type FoundStep = { readonly step: AuditedStep; readonly subject: Subject }

export type FoundSteps = {
  readonly found: readonly FoundStep[]
  /** The first leaf that was not looked at. */
  readonly next: number
}

type Ledger = Deps & { readonly authorities: AuthorityCache }

/** So many steps as an auditor is shown at a time (`most`), or all there are. */
export async function findSteps(ledger: Ledger, from: number, most: number): Promise<FoundSteps> {
  const found: FoundStep[] = []
  let next = from
  for (;;) {
    const page = await ledger.store.listLeaves(next, PAGE)
    for (const entry of page) {
      const step = await loadAuditedStep(ledger, entry)
      if (step !== null) found.push(step)
      next = entry.leaf + 1
      if (found.length === most) return { found, next }
    }
    if (page.length < PAGE) return { found, next }
  }
}

/** Null: it is no outcome, or what it is about was erased. */
async function loadAuditedStep(
  ledger: Ledger,
  { envelope, payload }: LeafEntry,
): Promise<FoundStep | null> {
  const { kind, dfid, at, trajectory } = envelope
  if (kind !== 'commit' || payload === null || dfid === undefined) return null
  const { intent_id, observations, proposal_hash } = parseCommit(payload)
  const flow = await ledger.store.readFlow(dfid)
  const decisions = await ledger.store.listFlowEntries(dfid, ['dispatch', 'accepted'])
  const decided = findDecision(decisions, intent_id)
  if (flow === null || decided === null) return null
  const { step_id, policy_kind, params, justification = '' } = decided.proposal
  return {
    step: {
      dfid,
      step_id,
      agent_id: flow.agent_id,
      mission: await loadMission(ledger, flow),
      trigger: flow.trigger,
      policy_kind,
      params,
      justification,
      state: decided.state,
      outcome: { observations, at },
    },
    subject: { dfid, trajectory, step_id, proposal_hash },
  }
}

type Decision = {
  readonly proposal: PolicyProposal
  readonly state: Readonly<Record<string, JsonValue>>
}

/** The entry in which the intent stands holds what it was made of. */
function findDecision(entries: readonly StoredEntry[], intentId: Address): Decision | null {
  for (const { payload } of entries) {
    const record = payload === null ? null : parseDecision(payload)
    if (record?.intent?.intent_id !== intentId || !isObject(record.proposal)) continue
    const proposal = parseProposal(record.proposal)
    // What the runtime does for an agent, and what is taken back, is not the agent's work.
    if (!proposal.ok || isReserved(record.intent.policy_kind) || record.intent.compensation)
      return null
    const facts = record.facts?.state ?? []
    return {
      proposal: proposal.value,
      state: Object.fromEntries(facts.map(({ path, value }) => [path, value])),
    }
  }
  return null
}

async function loadMission({ authorities }: Ledger, flow: FlowRow): Promise<string> {
  const authority = await authorities.loadAtLeast(flow.contract_seq)
  return findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract.mission ?? ''
}

/** Entries in our own store are what we wrote there. */
function parseCommit(payload: string): CommitPayload {
  return JSON.parse(payload) as CommitPayload
}

function parseDecision(payload: string): DecisionRecord & { readonly intent?: SignedIntent } {
  return JSON.parse(payload) as DecisionRecord & { readonly intent?: SignedIntent }
}
