/**
 * Runs recorded decisions through today's law, on the facts that were recorded, and lists every
 * verdict that would differ. This is how a rule change is tried before it is made.
 */
import {
  AUTHORITY,
  type Authority,
  addressed,
  type Contract,
  compile,
  type DecisionRecord,
  type Facts,
  foldAuthority,
  NO_AUTHORITY,
  parseProposal,
  pinnedContract,
  type RejectionPayload,
  type Rules,
  type Verdict,
  type Writ,
  type WritPayload,
} from 'rubicon-kernel'
import type { Store, StoredEntry } from '../ports/store.ts'
import { trajectoryPages } from './pages.ts'

export type Outcome = {
  readonly outcome: 'ACCEPTED' | 'REJECTED' | 'ESCALATED'
  readonly code: string | null
}

export type RecompileReport = {
  readonly ok: boolean
  readonly trajectory: string
  /** Decisions that were run again. */
  readonly decisions: number
  readonly differing: readonly {
    readonly trajectory: string
    readonly seq: number
    readonly dfid: string
    readonly recorded: Outcome
    readonly now: Outcome
  }[]
  /** Decisions that cannot be run again, and why. */
  readonly skipped: readonly { readonly seq: number; readonly why: string }[]
}

/** `changed` stands in for recorded contracts of the same agent: a limit can be tried as well. */
export async function recompileTrajectory(
  store: Store,
  trajectory: string,
  rules: Rules,
  changed: readonly Contract[] = [],
): Promise<RecompileReport> {
  const authority = await loadAuthority(store)
  const writs = new Map<string, Writ>()
  const differing: RecompileReport['differing'][number][] = []
  const skipped: { seq: number; why: string }[] = []
  let decisions = 0
  for await (const page of trajectoryPages(store, trajectory)) {
    for (const entry of page) {
      rememberWrit(entry, writs)
      const recorded = recordedOutcome(entry)
      if (recorded === null || entry.payload === null) continue
      const again = await recompileEntry(store, entry.payload, { authority, writs, rules, changed })
      const { seq, dfid = '' } = entry.envelope
      if (typeof again === 'string') {
        skipped.push({ seq, why: again })
        continue
      }
      decisions += 1
      if (again.outcome !== recorded.outcome || again.code !== recorded.code)
        differing.push({ trajectory, seq, dfid, recorded, now: again })
    }
  }
  return { ok: differing.length === 0, trajectory, decisions, differing, skipped }
}

type Law = {
  readonly authority: Authority
  readonly writs: Map<string, Writ>
  readonly rules: Rules
  readonly changed: readonly Contract[]
}

/** The outcome under today's law, or why it cannot be found. */
async function recompileEntry(store: Store, payload: string, law: Law): Promise<Outcome | string> {
  const record = parseAs<DecisionRecord>(payload)
  const { facts, proposal: document } = record
  if (facts === undefined || document === undefined) return 'it was refused before it was compiled'
  const proposal = parseProposal(document)
  if (!proposal.ok) return 'its proposal cannot be parsed'
  const chain: Writ[] = []
  for (const { id, nonce } of facts.writs) {
    const writ = law.writs.get(id) ?? (await findWrit(store, id, nonce, law.writs))
    if (writ === null) return `writ ${id} is not in the ledger`
    chain.push(writ)
  }
  const { rules, changed, authority } = law
  const recorded =
    facts.contract === null
      ? undefined
      : pinnedContract(authority, facts.flow.agent_id, facts.contract.hash)
  const contract =
    changed.find((candidate) => candidate.agent_id === facts.flow.agent_id) ??
    recorded?.contract ??
    null
  const capability = rules.capability(proposal.value.policy_kind)
  const today: Facts = {
    ...facts,
    capability:
      capability === undefined ? null : { kind: proposal.value.policy_kind, hash: capability.hash },
    rules_hash: rules.hash,
  }
  const { sha256 } = rules
  return outcomeOf(
    compile({
      facts: addressed('facts', today, sha256),
      proposal: proposal.value,
      document: addressed('proposal', document, sha256),
      contract,
      writs: chain,
      rules,
    }),
  )
}

function outcomeOf(verdict: Verdict): Outcome {
  switch (verdict.kind) {
    case 'staged':
    case 'repeated':
      return { outcome: 'ACCEPTED', code: null }
    case 'suspended':
      return { outcome: 'ESCALATED', code: verdict.domain_code ?? verdict.code }
    case 'rejected':
      return { outcome: 'REJECTED', code: verdict.domain_code ?? verdict.code }
  }
}

/** Null: the entry is not a decision. */
function recordedOutcome({ envelope: { kind }, payload }: StoredEntry): Outcome | null {
  if (payload === null) return null
  if (kind === 'accepted') return { outcome: 'ACCEPTED', code: null }
  if (kind === 'dispatch') {
    // What was accepted before, or sent before, was decided there.
    const isDecision = 'intent' in parseAs<object>(payload)
    return isDecision ? { outcome: 'ACCEPTED', code: null } : null
  }
  if (kind === 'pending_approval') {
    const { request } = parseAs<{ request: { reason_code: string; domain_code?: string } }>(payload)
    return { outcome: 'ESCALATED', code: request.domain_code ?? request.reason_code }
  }
  if (kind !== 'rejection') return null
  const { stage, domain_code, reason_code } = parseAs<RejectionPayload>(payload)
  // What was refused on the outside at dispatch had passed the law.
  if (stage === 'dispatch') return { outcome: 'ACCEPTED', code: null }
  return { outcome: 'REJECTED', code: domain_code ?? reason_code }
}

function rememberWrit(
  { envelope: { kind }, payload }: StoredEntry,
  writs: Map<string, Writ>,
): void {
  if (kind !== 'writ' || payload === null) return
  const { writ } = parseAs<WritPayload>(payload)
  writs.set(writ.id, writ)
}

async function findWrit(
  store: Store,
  id: string,
  nonce: string,
  writs: Map<string, Writ>,
): Promise<Writ | null> {
  for (const entry of await store.entriesOfFlow(nonce)) rememberWrit(entry, writs)
  return writs.get(id) ?? null
}

async function loadAuthority(store: Store): Promise<Authority> {
  let authority = NO_AUTHORITY
  for await (const page of trajectoryPages(store, AUTHORITY))
    authority = foldAuthority(authority, page)
  return authority
}

function parseAs<T>(text: string): T {
  return JSON.parse(text) as T
}
