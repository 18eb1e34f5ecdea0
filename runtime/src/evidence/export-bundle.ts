/** One decision flow as one file, which an auditor verifies with no access to the system. */
import {
  type AcceptedPayload,
  type Address,
  AUTHORITY,
  BUNDLE_FORMAT,
  type Contract,
  encodeBase64,
  err,
  type Failure,
  hashEvidence,
  type JsonObject,
  type JsonValue,
  ok,
  type PayloadOf,
  type Result,
  type Sha256,
  type SignedIntent,
  toCanonicalText,
  type WritPayload,
} from 'rubicon-kernel'
import { buildFlowArchivedFailure } from '../engine/rows/archived-flow.ts'
import { buildFlowUnknownFailure } from '../engine/rows/unknown-flow.ts'
import type { LeafEntry, Store, StoredCheckpoint, StoredEntry } from '../ports/store.ts'
import { findAwayFlow } from './away-flow.ts'
import { noCheckpoint, readKeysUpTo } from './export-ledger.ts'
import type { Pause } from './in-turns.ts'
import { Prover } from './merkle-proof.ts'
import { readTrajectoryPages } from './pages.ts'

export async function exportBundle(
  store: Store,
  sha256: Sha256,
  dfid: string,
  prover: Prover = new Prover(store, sha256),
  pause: Pause = async () => {},
): Promise<Result<string, Failure>> {
  const checkpoint = await store.readCheckpoint()
  if (checkpoint === null) return err(noCheckpoint)
  const ofFlows = await readFlowEntries(store, dfid)
  if (ofFlows.length === 0) return err(buildFlowUnknownFailure(dfid, 'see `rubicon flows list`'))
  const away = await findAwayFlow(store, ofFlows)
  if (away !== null) return err(buildFlowArchivedFailure(away))
  const own = [...ofFlows, ...(await readNamedWrits(store, ofFlows))]
  const authority = await readAuthorityEntries(store, own, checkpoint)
  const entries = [...own, ...authority].filter(hasLeaf).sort((a, b) => a.leaf - b.leaf)
  const isCovered = entries.every(({ leaf }) => leaf < checkpoint.size) && own.every(hasLeaf)
  if (!isCovered)
    return err({ ...noCheckpoint, summary: 'the last checkpoint does not cover this flow yet' })
  const proven: string[] = []
  for (const entry of entries) {
    await pause()
    proven.push(toCanonicalText(await buildBundleEntry(prover, entry, checkpoint)))
  }
  const evidence = buildEvidence(dfid, own, authority, sha256)
  const before = { checkpoint: checkpoint.note, dfid }
  const after = {
    epoch: checkpoint.epoch,
    ...(evidence === null ? {} : { evidence }),
    format: BUNDLE_FORMAT,
    keys: await readKeysUpTo(store, checkpoint.size),
    tenant: store.tenant,
  }
  // Entry by entry, where members stand in canonical order: all of it at once would hold the thread.
  const head = toCanonicalText(before)
  const tail = toCanonicalText(after)
  return ok(`${head.slice(0, -1)},"entries":[${proven.join(',')}],${tail.slice(1)}\n`)
}

/**
 * The flow's own entries, those of the flows that it was delegated from, and those of the flows in
 * which it was chosen to undo what it did.
 */
async function readFlowEntries(store: Store, dfid: string): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = []
  const flows = new Set([dfid])
  // What is added while it is gone through is gone through, too.
  for (const flow of flows) {
    const found = await store.listFlowEntries(flow)
    entries.push(...found)
    for (const other of found.flatMap(listSourceFlows)) flows.add(other)
  }
  return entries
}

/** Writs issued by hand, in no flow, that were named in place of the flow's own, and those above them. */
async function readNamedWrits(
  store: Store,
  own: readonly StoredEntry[],
): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = []
  const ids = new Set(own.flatMap(listNamedWrits))
  // What is added while it is gone through is gone through, too.
  for (const id of ids) {
    const row = await store.readWrit(id)
    if (row === null) continue
    const { trajectory, seq } = row.position
    found.push(...(await store.listEntries(trajectory, seq, 1)))
    if (row.writ.body.parent !== undefined) ids.add(row.writ.body.parent)
  }
  return found
}

function listNamedWrits({ envelope: { kind }, payload }: StoredEntry): readonly Address[] {
  if (payload === null || (kind !== 'dispatch' && kind !== 'accepted')) return []
  const sent = parseAs<PayloadOf['accepted' | 'dispatch']>(payload)
  return 'intent' in sent ? [sent.intent.writ_id] : []
}

function listSourceFlows({ envelope, payload }: StoredEntry): readonly string[] {
  if (payload === null) return []
  if (envelope.kind === 'writ') {
    const parent = parseAs<WritPayload>(payload).flow?.parent_dfid
    return parent === undefined ? [] : [parent]
  }
  if (envelope.kind !== 'dispatch') return []
  const sent = parseAs<PayloadOf['dispatch']>(payload)
  const { compensation } = 'intent' in sent ? sent.intent : {}
  return compensation === undefined ? [] : [compensation.dfid]
}

/**
 * Every authority entry that stands before the last entry of the flow, and every key entry that the
 * checkpoint covers: the key that signed it, or a compromise that reaches back, may come later.
 */
async function readAuthorityEntries(
  store: Store,
  own: readonly StoredEntry[],
  { size }: StoredCheckpoint,
): Promise<readonly StoredEntry[]> {
  const last = Math.max(...own.filter(hasLeaf).map(({ leaf }) => leaf))
  const entries: StoredEntry[] = []
  for await (const page of readTrajectoryPages(store, AUTHORITY)) {
    const end = ({ envelope }: StoredEntry) => (envelope.kind === 'key' ? size : last)
    entries.push(...page.filter(hasLeaf).filter((entry) => entry.leaf < end(entry)))
  }
  return entries
}

function hasLeaf(entry: StoredEntry): entry is LeafEntry {
  return entry.leaf !== null
}

async function buildBundleEntry(
  prover: Prover,
  { envelope, id, leaf, payload }: LeafEntry,
  { size }: StoredCheckpoint,
): Promise<JsonValue> {
  const proof = await prover.proveInclusion(leaf, size)
  return {
    envelope: envelope,
    id,
    leaf,
    payload: payload === null ? null : parseAs<JsonValue>(payload),
    proof: proof.map(encodeBase64),
  }
}

function buildEvidence(
  dfid: string,
  own: readonly StoredEntry[],
  authority: readonly StoredEntry[],
  sha256: Sha256,
): JsonObject | null {
  const intent = findDispatchedIntent(own.filter(({ envelope }) => envelope.dfid === dfid))
  if (intent === null) return null
  const contract = findDeployedContract(authority, intent.contract_hash)
  if (contract === null) return null
  const { snapshot_id: context_ref, contract_hash, rules_hash } = intent
  const evidence_hash = hashEvidence(
    {
      dfid,
      contextRef: context_ref,
      contract: contract,
      rulesHash: rules_hash,
    },
    sha256,
  )
  return { context_ref, contract_hash, rules_hash, evidence_hash }
}

/** The first that was dispatched, from where it stands: with its dispatch, or accepted before. */
function findDispatchedIntent(entries: readonly StoredEntry[]): SignedIntent | null {
  const accepted = new Map<string, SignedIntent>()
  for (const { envelope, payload } of entries) {
    if (payload === null) continue
    if (envelope.kind === 'accepted') {
      const { intent } = parseAs<AcceptedPayload>(payload)
      accepted.set(intent.intent_id, intent)
    }
    if (envelope.kind !== 'dispatch') continue
    const sent = parseAs<PayloadOf['dispatch']>(payload)
    const intent = 'intent' in sent ? sent.intent : accepted.get(sent.intent_id)
    if (intent !== undefined) return intent
  }
  return null
}

function findDeployedContract(authority: readonly StoredEntry[], hash: string): Contract | null {
  for (const { envelope, payload } of authority) {
    if (envelope.kind !== 'contract' || payload === null) continue
    const { body } = parseAs<{ body: { contract: Contract; contract_hash: string } }>(payload)
    if (body.contract_hash === hash) return body.contract
  }
  return null
}

/** Payloads of our own store, hashed and checked when they were written. */
function parseAs<T>(text: string): T {
  return JSON.parse(text) as T
}
