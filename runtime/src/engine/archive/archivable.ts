/**
 * Which flows can be archived: those that nobody will read again to decide, count or take back.
 *
 * K1 a whole goes together: the flow that it began with and all below it have ended before the given time, every effect
 *    is settled, nothing is dirty or unknown, no request waits.
 * K2 whoever reads the ledger in its order has passed: monitors and auditors, by their own cursors.
 * K3 what is folded at the start to hold counters against it stays: running windows, and writs issued by hand.
 * K4 every payload that would go is there, and fits the tree.
 */
import {
  type EntryKind,
  encodeUtf8,
  isArchivable,
  parseInstant,
  toCanonicalText,
} from 'rubicon-kernel'
import type { GenerationText } from '../../ports/generation-record.ts'
import type { FlowRow, LeafEntry, StoredEntry } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { parseGenerationId } from '../erase/flow-records.ts'
import { describeUnfinished, findTopFlow } from '../erase/refusal.ts'
import { findCountedSince } from '../ledger/divergence/agent-counters.ts'
import { InForceCache } from '../monitors/streams.ts'
import { isArchived } from '../rows/archived-flow.ts'
import { isErased } from '../rows/erased-flow.ts'
import { TreeCheck } from '../rows/tree-check.ts'
import { iterateFlowTree } from '../saga/effects.ts'

export type ArchivableEntry = LeafEntry & {
  readonly payload: string
  /** What a model was asked and said, where the entry is about that: a record, which goes with it. */
  readonly text: GenerationText | null
}

export type ArchivableFlow = {
  readonly flow: FlowRow
  /** Those whose payloads go, in the order of the tree. */
  readonly entries: readonly ArchivableEntry[]
  /** All that the flow has in its trajectory. */
  readonly count: number
}

/**
 * Why a flow stays. `open`: it, or one that belongs with it, has not ended or is uncertain; `young`: it ended too late;
 * `counted`: in a window or on a writ that is open; `unseen`: by a monitor or an auditor; `differs`: from what a file
 * says of it.
 */
export type KeptBy = 'archived' | 'erased' | 'open' | 'young' | 'counted' | 'unseen' | 'differs'

/** `why`: in words that follow "it". */
export type KeptFlow = { readonly kept: KeptBy; readonly why: string }
export type JudgedFlow = KeptFlow | ArchivableFlow

export class ArchiveJudge {
  readonly #context: Context
  readonly #before: number
  readonly #countedSince: number
  readonly #readers: readonly Reader[]
  readonly #tree: TreeCheck
  /** Of the whole that was looked at last. */
  #family: { readonly root: string; readonly kept: KeptFlow | null } | null = null

  private constructor(context: Context, before: number, since: number, readers: readonly Reader[]) {
    this.#context = context
    this.#before = before
    this.#countedSince = since
    this.#readers = readers
    this.#tree = new TreeCheck(context.store, context.sha256)
  }

  /** `before`: in milliseconds; only what ended earlier goes. */
  static async create(context: Context, before: number): Promise<ArchiveJudge> {
    const since = await findCountedSince(context)
    return new ArchiveJudge(context, before, since, await listReaders(context))
  }

  async judge(flow: FlowRow): Promise<JudgedFlow> {
    if (isArchived(flow)) return { kept: 'archived', why: 'is archived already' }
    if (isErased(flow)) return { kept: 'erased', why: 'was erased' }
    const together = await this.#judgeFamily(flow)
    if (together !== null) return together
    const entries = await this.#context.store.listFlowEntries(flow.dfid)
    const kept = await this.#judgeReaders(entries)
    if (kept !== null) return kept
    await this.#tree.check(entries)
    const going = await this.#attachTexts(flow.dfid, entries.filter(isGoing))
    // Every flow has an opening, which goes.
    if (going.length === 0) return { kept: 'differs', why: 'has no payload that could go' }
    const inside = entries.filter(({ envelope }) => envelope.trajectory === flow.trajectory)
    return { flow, entries: going, count: inside.length }
  }

  async #attachTexts(dfid: string, entries: readonly Going[]): Promise<readonly ArchivableEntry[]> {
    const seen = new Set<string>()
    const attached: ArchivableEntry[] = []
    for (const entry of entries) {
      const id = entry.envelope.kind === 'evidence' ? parseGenerationId(entry.payload) : null
      const isNew = id !== null && !seen.has(id)
      if (isNew) seen.add(id)
      attached.push({ ...entry, text: isNew ? await this.#readText(dfid, id) : null })
    }
    return attached
  }

  /** What cannot be written as JSON, or is too long for a line that is read again, stays where it is. */
  async #readText(dfid: string, id: string): Promise<GenerationText | null> {
    const record = await this.#context.store.readRecord('generation_text', dfid, id)
    if (record === null) return null
    const { request, response, failure } = record.body
    const isWritten = [request, response, failure].every((one) => one?.isWellFormed() !== false)
    if (!isWritten) return null
    const text = { request, response, failure }
    return encodeUtf8(toCanonicalText(text)).length <= MOST_TEXT_BYTES ? text : null
  }

  async #judgeFamily(flow: FlowRow): Promise<KeptFlow | null> {
    if (this.#family?.root !== flow.root_dfid)
      this.#family = { root: flow.root_dfid, kept: await this.#judgeAll(flow) }
    return this.#family.kept
  }

  async #judgeAll(flow: FlowRow): Promise<KeptFlow | null> {
    const top = await findTopFlow(this.#context, flow)
    for await (const one of iterateFlowTree(this.#context, top)) {
      const kept = (await this.#judgeEnd(one)) ?? this.#judgeAge(one)
      if (kept === null) continue
      const why = one.dfid === flow.dfid ? kept.why : `belongs with ${one.dfid}, which ${kept.why}`
      return { ...kept, why }
    }
    return null
  }

  async #judgeEnd(flow: FlowRow): Promise<KeptFlow | null> {
    const why = await describeUnfinished(this.#context, flow)
    return why === null ? null : { kept: 'open', why }
  }

  #judgeAge({ updated_at }: FlowRow): KeptFlow | null {
    const ended = parseInstant(updated_at) ?? Number.POSITIVE_INFINITY
    if (ended >= this.#before) return { kept: 'young', why: `ended at ${updated_at}` }
    if (ended < this.#countedSince) return null
    return { kept: 'counted', why: 'counts in a window or on a writ that is open' }
  }

  async #judgeReaders(entries: readonly StoredEntry[]): Promise<KeptFlow | null> {
    const { store } = this.#context
    for (const { envelope, payload, leaf } of entries) {
      if (leaf === null) return { kept: 'open', why: 'has an entry without a place in the tree' }
      const { kind } = envelope
      const late = this.#readers.find((one) => leaf >= one.from && one.kinds.includes(kind))
      if (late !== undefined) return { kept: 'unseen', why: `has not been seen by ${late.name}` }
      if (kind !== 'pending_approval' || payload === null) continue
      const id = parseRequestId(payload)
      for (const group of ['open', 'approved'])
        if ((await store.readRecord('escalation', group, id)) !== null)
          return { kept: 'open', why: 'waits for somebody' }
    }
    return null
  }
}

/** As it stands in the file: half of the longest line, so that the payload has room beside it. */
const MOST_TEXT_BYTES = 8_388_608

type Reader = {
  readonly name: string
  /** The first leaf that it has not seen. */
  readonly from: number
  readonly kinds: readonly EntryKind[]
}

const PAGE = 1_000
/** What monitors make samples of: outcomes, and what auditors found. */
const WATCHED: readonly EntryKind[] = ['commit', 'settle', 'evidence']

async function listReaders(context: Context): Promise<readonly Reader[]> {
  const { store } = context
  const auditors = await store.listRecords('audit_cursor', 'auditors', { limit: PAGE })
  const readers: Reader[] = auditors.map(({ key, body }) => {
    return { name: `the auditor ${key}`, from: body.leaf, kinds: ['commit'] }
  })
  const { streams } = await new InForceCache(context).loadLatest()
  if (streams.size === 0) return readers
  const cursor = await store.readRecord('monitor_cursor', 'all', 'all')
  return [...readers, { name: 'monitors', from: cursor?.body.leaf ?? 0, kinds: WATCHED }]
}

type Going = LeafEntry & { readonly payload: string }

function isGoing(entry: StoredEntry): entry is Going {
  return entry.leaf !== null && entry.payload !== null && isArchivable(entry.envelope.kind)
}

/** Held against its hash where it was written. */
function parseRequestId(payload: string): string {
  return (JSON.parse(payload) as { readonly request: { readonly id: string } }).request.id
}
