/** The proven intents of one flow as an in-toto statement, signed by the kernel's key. */
import {
  type AcceptedPayload,
  AUTHORITY,
  buildStatementText,
  type Contract,
  err,
  type Failure,
  formatStatement,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type PayloadOf,
  type ProvenDecision,
  type Result,
  STATEMENT_PAYLOAD,
} from 'rubicon-kernel'
import type { Context } from '../engine/engine-context.ts'
import { buildFlowArchivedFailure } from '../engine/rows/archived-flow.ts'
import { signTyped } from '../engine/rows/sign.ts'
import type { LeafEntry, Store, StoredCheckpoint, StoredEntry } from '../ports/store.ts'
import { findAwayFlow } from './away-flow.ts'
import { noCheckpoint } from './export-ledger.ts'
import { readTrajectoryPages } from './pages.ts'

export async function exportStatement(
  context: Context,
  dfid: string,
): Promise<Result<string, Failure>> {
  const { store, sha256, tenant } = context
  const checkpoint = await store.readCheckpoint()
  if (checkpoint === null) return err(noCheckpoint)
  const entries = await store.listFlowEntries(dfid)
  if (entries.length === 0) return err(buildUnknownFlowFailure(dfid))
  const away = await findAwayFlow(store, entries)
  if (away !== null) return err(buildFlowArchivedFailure(away))
  const decisions = await listProvenDecisions(store, entries, checkpoint)
  if (!decisions.ok) return decisions
  if (decisions.value.length === 0) return err(buildUnprovenFailure(dfid))
  const input = { dfid, tenant, checkpoint: checkpoint.note, decisions: decisions.value }
  const text = buildStatementText(input, sha256)
  return ok(formatStatement(text, await signTyped(context, 'kernel', STATEMENT_PAYLOAD, text)))
}

async function listProvenDecisions(
  store: Store,
  entries: readonly StoredEntry[],
  { size }: StoredCheckpoint,
): Promise<Result<readonly ProvenDecision[], Failure>> {
  const outcomes = readOutcomes(entries)
  const found: ProvenDecision[] = []
  for (const entry of entries) {
    const decided = findProven(entry)
    if (decided === null) continue
    const { intent, proposal } = decided
    const { id, leaf } = entry
    if (leaf === null || leaf >= size)
      return err({ ...noCheckpoint, summary: 'the last checkpoint does not cover this flow yet' })
    const contract = await findContract(store, intent.contract_hash)
    if (contract === null) continue
    const { trajectory, seq } = entry.envelope
    found.push({
      proposal,
      intent: intent as ProvenDecision['intent'] & typeof intent,
      contract: contract as JsonValue,
      rules_hash: intent.rules_hash as ProvenDecision['rules_hash'],
      entry: { id: id as LeafEntry['id'], trajectory, seq, leaf },
      outcome: outcomes.get(intent.intent_id) ?? 'UNKNOWN',
    })
  }
  return ok(found)
}

type Proven = Pick<AcceptedPayload, 'intent'> & { readonly proposal: JsonObject }

/** Where an intent first stands, and carries a proof; not where it is written once more to be taken back. */
function findProven({ envelope, payload }: StoredEntry): Proven | null {
  if (payload === null || (envelope.kind !== 'dispatch' && envelope.kind !== 'accepted'))
    return null
  const decided = JSON.parse(payload) as PayloadOf['accepted' | 'dispatch']
  if (!('intent' in decided) || decided.intent.compensation !== undefined) return null
  const { intent, proposal } = decided
  if (!isObject(proposal) || proposal.evidence_hash === undefined) return null
  return { intent, proposal }
}

function readOutcomes(entries: readonly StoredEntry[]): ReadonlyMap<string, string> {
  const outcomes = new Map<string, string>()
  for (const { envelope, payload } of entries) {
    if (payload === null) continue
    if (envelope.kind === 'commit')
      outcomes.set((JSON.parse(payload) as PayloadOf['commit']).intent_id, 'SUCCESS')
    if (envelope.kind === 'settle') {
      const { intent_id, status } = JSON.parse(payload) as PayloadOf['settle']
      outcomes.set(intent_id, status)
    }
  }
  return outcomes
}

async function findContract(store: Store, hash: string): Promise<Contract | null> {
  for await (const page of readTrajectoryPages(store, AUTHORITY))
    for (const { envelope, payload } of page) {
      if (envelope.kind !== 'contract' || payload === null) continue
      const { body } = JSON.parse(payload) as PayloadOf['contract']
      if (body.contract_hash === hash) return body.contract
    }
  return null
}

function buildUnknownFlowFailure(dfid: string): Failure {
  return {
    code: 'FLOW_UNKNOWN',
    summary: `there is no flow \`${dfid}\``,
    fix: 'see `rubicon flows list`',
  }
}

function buildUnprovenFailure(dfid: string): Failure {
  return {
    code: 'PROOF_MISSING',
    summary: `nothing that flow \`${dfid}\` did carries a proof`,
    why: 'a statement is made of intents that carry one',
    fix: 'export the flow as a bundle: `rubicon export DFID`',
  }
}
