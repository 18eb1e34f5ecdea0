/**
 * The proven intents of one flow as an in-toto statement, signed by the kernel's key.
 *
 * Whoever reads it believes that signature and looks at no tree: what a statement is made of is held against the signed
 * checkpoint first. Otherwise whoever can write to the database would have the kernel sign what never happened.
 */
import {
  type AcceptedPayload,
  type Authority,
  buildStatementText,
  err,
  type Failure,
  findPinnedContract,
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
import { checkStoredNote } from '../engine/ledger/check-note.ts'
import { buildFlowArchivedFailure } from '../engine/rows/archived-flow.ts'
import { signTyped } from '../engine/rows/sign.ts'
import { TreeCheck } from '../engine/rows/tree-check.ts'
import { buildFlowUnknownFailure } from '../engine/rows/unknown-flow.ts'
import type { LeafEntry, StoredEntry } from '../ports/store.ts'
import { findAwayFlow } from './away-flow.ts'
import { noCheckpoint } from './export-ledger.ts'

export async function exportStatement(
  context: Context,
  dfid: string,
): Promise<Result<string, Failure>> {
  const { store, sha256, tenant, authorities } = context
  const checkpoint = await store.readCheckpoint()
  if (checkpoint === null) return err(noCheckpoint)
  const entries = await store.listFlowEntries(dfid)
  if (entries.length === 0) return err(buildFlowUnknownFailure(dfid, 'see `rubicon flows list`'))
  const away = await findAwayFlow(store, entries)
  if (away !== null) return err(buildFlowArchivedFailure(away))
  const covered = entries.filter((entry) => isCovered(entry, checkpoint.size))
  if (covered.length < entries.length) return err(notCovered)
  const authority = await authorities.loadLatest()
  await checkStoredNote(context, authority, checkpoint)
  await new TreeCheck(store, sha256).check(covered)
  const decisions = listProvenDecisions(authority, covered)
  if (!decisions.ok) return decisions
  if (decisions.value.length === 0) return err(buildUnprovenFailure(dfid))
  const input = { dfid, tenant, checkpoint: checkpoint.note, decisions: decisions.value }
  const text = buildStatementText(input, sha256)
  return ok(formatStatement(text, await signTyped(context, 'kernel', STATEMENT_PAYLOAD, text)))
}

function isCovered(entry: StoredEntry, size: number): entry is LeafEntry {
  return entry.leaf !== null && entry.leaf < size
}

function listProvenDecisions(
  authority: Authority,
  entries: readonly LeafEntry[],
): Result<readonly ProvenDecision[], Failure> {
  const outcomes = readOutcomes(entries)
  const found: ProvenDecision[] = []
  for (const entry of entries) {
    const decided = findProven(entry)
    if (decided === null) continue
    const { intent, proposal } = decided
    const { id, leaf } = entry
    const pinned = findPinnedContract(authority, intent.agent_id, intent.contract_hash)
    if (pinned === undefined) return err(buildContractMissingFailure(intent.contract_hash))
    const { trajectory, seq } = entry.envelope
    found.push({
      proposal,
      intent: intent as ProvenDecision['intent'] & typeof intent,
      contract: pinned.contract as JsonValue,
      rules_hash: intent.rules_hash as ProvenDecision['rules_hash'],
      entry: { id, trajectory, seq, leaf },
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
    if (envelope.kind === 'commit') {
      const { intent_id, compensates } = JSON.parse(payload) as PayloadOf['commit']
      outcomes.set(intent_id, 'SUCCESS')
      if (compensates !== undefined) outcomes.set(compensates, 'COMPENSATED')
    }
    if (envelope.kind === 'settle') {
      const { intent_id, status } = JSON.parse(payload) as PayloadOf['settle']
      outcomes.set(intent_id, status)
    }
  }
  return outcomes
}

const notCovered: Failure = {
  ...noCheckpoint,
  summary: 'the last checkpoint does not cover this flow yet',
}

/** A statement without one of the decisions would say that there was none. */
function buildContractMissingFailure(hash: string): Failure {
  return {
    code: 'PROOF_MISSING',
    summary: `the contract \`${hash}\`, which a proof of this flow binds, is not known here`,
    fix: 'export the flow as a bundle: `rubicon export DFID`',
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
