/** What a bundle says about its flow as a whole: which entries belong to it, and on what it stood. */
import {
  type AcceptedPayload,
  AUTHORITY,
  type Bundle,
  hashEvidence,
  isObject,
  type JsonValue,
  type Sha256,
  type Writ,
} from 'rubicon-kernel'
import { type ReadEntry, toPlace } from '../reading/read-entry.ts'
import type { Place, Problem } from '../report/report.ts'

type PlacedProblem = { readonly place: Place; readonly problem: Problem }

/**
 * Entries of flows that are neither this one, nor one it was delegated from, nor chose to undo it. A writ that
 * was issued by hand is of no flow: it is there where a step names it.
 */
export function findStrangerProblems(
  dfid: string,
  entries: readonly ReadEntry[],
): readonly PlacedProblem[] {
  const family = findAncestry(dfid, entries)
  const named = findNamedWrits(family, entries)
  return entries
    .filter(({ envelope }) => envelope.trajectory !== AUTHORITY)
    .filter((entry) => {
      const { dfid: of } = entry.envelope
      return of === undefined ? !named.has(findWritByHand(entry)?.id ?? '') : !family.has(of)
    })
    .map((entry) => {
      const detail = 'the entry belongs to another flow'
      return { place: toPlace(entry), problem: { code: 'ENTRY_SEQUENCE', detail } }
    })
}

/** The writs that steps of these flows name, and those that they were made from. */
function findNamedWrits(
  family: ReadonlySet<string>,
  entries: readonly ReadEntry[],
): ReadonlySet<string> {
  const named = new Set<string>()
  for (const { envelope, payload } of entries) {
    if (payload?.kind !== 'dispatch' && payload?.kind !== 'accepted') continue
    if ('intent' in payload.payload && family.has(envelope.dfid ?? ''))
      named.add(payload.payload.intent.writ_id)
  }
  const byHand = entries.flatMap((entry) => findWritByHand(entry) ?? [])
  // What is added while it is gone through is gone through, too.
  for (const name of named)
    for (const { id, body } of byHand)
      if (id === name && body.parent !== undefined) named.add(body.parent)
  return named
}

function findWritByHand({ envelope, payload }: ReadEntry): Writ | undefined {
  const isByHand = payload?.kind === 'writ' && payload.payload.flow === undefined
  return isByHand && envelope.dfid === undefined ? payload.payload.writ : undefined
}

/** The flow, those it was delegated from, and those that chose to undo it. */
export function findAncestry(dfid: string, entries: readonly ReadEntry[]): ReadonlySet<string> {
  const leads = entries.flatMap(({ envelope, payload }) => findLeads(envelope.dfid, payload))
  const family = new Set([dfid])
  // What is added while it is gone through is gone through, too.
  for (const flow of family) for (const { from, to } of leads) if (from === flow) family.add(to)
  return family
}

type Lead = { readonly from: string; readonly to: string }

/** From a flow to the one above it, or to the one in which it was chosen to undo what it did. */
function findLeads(dfid: string | undefined, payload: ReadEntry['payload']): readonly Lead[] {
  const above = payload?.kind === 'writ' ? payload.payload.flow : undefined
  if (above?.parent_dfid !== undefined) return [{ from: above.dfid, to: above.parent_dfid }]
  if (payload?.kind === 'delegation')
    return [{ from: payload.payload.child_dfid, to: payload.payload.parent_dfid }]
  if (payload?.kind !== 'dispatch' || dfid === undefined || !('intent' in payload.payload))
    return []
  const { compensation } = payload.payload.intent
  return compensation === undefined ? [] : [{ from: dfid, to: compensation.dfid }]
}

/** The evidence must be that of a dispatch of the flow, and absent when there is none. */
export function findEvidenceProblems(
  { dfid, evidence }: Bundle,
  entries: readonly ReadEntry[],
  sha256: Sha256,
): readonly Problem[] {
  const dispatches = listDispatchedIntents(entries, dfid)
  if (evidence === undefined) {
    return dispatches.length === 0
      ? []
      : toMisfitProblems('the flow was dispatched and has no evidence')
  }
  const { context_ref, contract_hash, rules_hash, evidence_hash } = evidence
  const isOf = dispatches.some(
    (dispatch) =>
      findContextRef(dispatch) === context_ref &&
      dispatch.intent.contract_hash === contract_hash &&
      dispatch.intent.rules_hash === rules_hash,
  )
  if (!isOf) return toMisfitProblems('the evidence is not that of a dispatch of the flow')
  const contract = findContract(entries, contract_hash)
  if (contract === undefined)
    return toMisfitProblems('the contract of the evidence is not in the bundle')
  const input = { dfid, contextRef: context_ref, contract, rulesHash: rules_hash }
  if (hashEvidence(input, sha256) === evidence_hash) return []
  return toMisfitProblems('evidence_hash does not match')
}

type Decided = Pick<AcceptedPayload, 'proposal' | 'intent'>

/** What the flow dispatched, from where its intent stands: with the dispatch, or accepted before. */
function listDispatchedIntents(entries: readonly ReadEntry[], dfid: string): readonly Decided[] {
  const own = entries.flatMap(({ envelope, payload }) => {
    return payload !== null && envelope.dfid === dfid ? [payload] : []
  })
  const dispatches = own.flatMap((read) => (read.kind === 'dispatch' ? [read.payload] : []))
  const sent = new Set(dispatches.flatMap((one) => ('intent' in one ? [] : [one.intent_id])))
  const accepted = own.flatMap((read) => (read.kind === 'accepted' ? [read.payload] : []))
  return [
    ...dispatches.filter((one) => 'intent' in one),
    ...accepted.filter(({ intent }) => sent.has(intent.intent_id)),
  ]
}

/** What the agent says it decided on; without a word of it, what the kernel showed it. */
function findContextRef({ proposal, intent }: Decided): string {
  const stated = isObject(proposal) ? proposal.context_ref : undefined
  return typeof stated === 'string' ? stated : intent.snapshot_id
}

function findContract(entries: readonly ReadEntry[], hash: string): JsonValue | undefined {
  for (const { payload } of entries) {
    if (payload?.kind !== 'contract') continue
    if (payload.payload.body.contract_hash === hash) return payload.payload.body.contract
  }
  return undefined
}

function toMisfitProblems(detail: string): readonly Problem[] {
  return [{ code: 'ENTRY_SIGNATURE', detail }]
}
