/** A proof as the kernel checked it: five steps in order, each with what was held against what. From an entry alone. */
import type { JsonValue } from 'rubicon-kernel'
import { parseObject } from './entry-payload.ts'
import type { Attempt } from './story-parts.ts'

export type Comparison = {
  readonly what: string
  /** What the proof says, or what was seen when it was made. */
  readonly said: string
  /** What it was held against; null: the record does not say. */
  readonly wanted: string | null
}

export type ProofStep = {
  readonly name: 'signature' | 'flow' | 'snapshot' | 'values' | 'hash'
  readonly question: string
  readonly outcome: 'held' | 'failed' | 'not asked'
  readonly compared: readonly Comparison[]
}

const NAMES: readonly ProofStep['name'][] = ['signature', 'flow', 'snapshot', 'values', 'hash']

/** Null: the proposal carries no proof. */
export function listProofSteps({
  proposal,
  facts,
  trace,
}: Pick<Attempt, 'proposal' | 'facts' | 'trace'>): readonly ProofStep[] | null {
  const { evidence_hash, dfid, context_ref, signature } = parseObject(proposal)
  if (typeof evidence_hash !== 'string') return null
  const line = trace.find(({ stage }) => stage === 'proof')
  const { auth, flow, seen, state, claim, rules_hash, contract } = parseObject(facts)
  const [refusal] = line?.refusals ?? []
  const failed = line?.said === 'reject' ? findFailedStep(refusal) : null
  // What a step that was claimed before was proven by is not asked again.
  const asked = claim === null || claim === undefined ? NAMES : NAMES.slice(0, 2)
  const signer = parseObject(parseObject(auth).signature)
  const { dfid: own, snapshot_id, agent_id } = parseObject(flow)
  const wanted = refusal?.code === 'REJECT_HASH' ? refusal.details.wanted : evidence_hash
  const { hash } = parseObject(contract)
  const compared: Readonly<Record<ProofStep['name'], readonly Comparison[]>> = {
    signature: [
      { what: 'key', said: toText(parseObject(signature).key_id), wanted: toWanted(signer.key_id) },
      { what: 'key of', said: toText(signer.subject), wanted: toWanted(agent_id) },
    ],
    flow: [{ what: 'flow', said: toText(dfid), wanted: toWanted(own) }],
    snapshot: [{ what: 'snapshot', said: toText(context_ref), wanted: toWanted(snapshot_id) }],
    values: listValues(seen, state),
    hash: [
      { what: 'hash', said: evidence_hash, wanted: toWanted(wanted) },
      { what: 'over the contract', said: toText(hash), wanted: null },
      { what: 'and the rules', said: toText(rules_hash), wanted: null },
    ],
  }
  const end = failed === null ? asked.length : NAMES.indexOf(failed)
  return NAMES.map((name, index): ProofStep => {
    const isAsked = line !== undefined && index < end
    const outcome = name === failed ? 'failed' : isAsked ? 'held' : 'not asked'
    // Nobody has held it against anything.
    const shown = outcome === 'not asked' ? [] : compared[name]
    return { name, question: QUESTIONS[name], outcome, compared: shown }
  })
}

const QUESTIONS: Readonly<Record<ProofStep['name'], string>> = {
  signature: 'Is it signed with a key of the agent?',
  flow: 'Was it made for this flow?',
  snapshot: 'Was it made on what this flow was shown?',
  values: 'Is everything as it was that must not move?',
  hash: 'Does it bind flow, snapshot, contract and rules?',
}

type ProofRefusal = { readonly code: string; readonly details: { readonly member?: JsonValue } }

function findFailedStep(refusal: ProofRefusal | undefined): ProofStep['name'] | null {
  switch (refusal?.code) {
    case 'REJECT_AUTH':
      return 'signature'
    case 'REJECT_CONTEXT':
      return refusal.details.member === 'dfid' ? 'flow' : 'snapshot'
    case 'REJECT_DRIFT':
      return 'values'
    case 'REJECT_HASH':
      return 'hash'
    default:
      return null
  }
}

/** What the agent was shown beside what stood when it was judged. */
function listValues(
  seen: JsonValue | undefined,
  state: JsonValue | undefined,
): readonly Comparison[] {
  const now = new Map(listRows(state).map(({ path, value }) => [path, value]))
  return listRows(seen).map(({ path, value }) => {
    const current = now.get(path)
    const wanted = current === undefined ? null : toText(current)
    return { what: toText(path), said: toText(value), wanted }
  })
}

function listRows(rows: JsonValue | undefined): readonly Partial<Record<string, JsonValue>>[] {
  return Array.isArray(rows) ? rows.map((row) => parseObject(row)) : []
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function toWanted(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : toText(value)
}
