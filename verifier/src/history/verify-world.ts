/**
 * Does folding the deltas give the World that every commit recorded?
 *
 * A branch may fork from any entry, so the deltas of a trajectory are kept: the World of an old
 * entry is folded again from there. Of an erased commit the leaves are known that its erasure names,
 * which stands behind it: what comes after the first one that is missing is folded at the end.
 */
import {
  assert,
  createWorld,
  type Delta,
  encodeHex,
  encodeUtf8,
  type JsonValue,
  joinBytes,
  parseDelta,
  type Sha256,
  type World,
  type WorldLeaf,
} from 'rubicon-kernel'
import { createByteLog } from '../compact-records/byte-log.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import type { Finding, Place, Problem } from '../report/report.ts'

export type Worlds = {
  readonly check: (entry: ReadEntry) => readonly Problem[]
  /** What could not be folded before all erasures were known. */
  readonly close: () => readonly Finding[]
}

/** What an entry says about the World. */
type Step =
  | { readonly kind: 'commit'; readonly delta: JsonValue; readonly after: string }
  | { readonly kind: 'erased' }
  | {
      readonly kind: 'branch'
      readonly source: { readonly trajectory: string; readonly seq: number }
      readonly after: string
    }

type PlacedStep = {
  readonly place: Place & {
    readonly leaf: number
    readonly trajectory: string
    readonly seq: number
  }
  readonly id: string
  readonly step: Step
}

type Change = { readonly seq: number; readonly id: string } & (
  | { readonly delta: Delta }
  | { readonly leaves: readonly WorldLeaf[] }
)

type History = {
  readonly start: World
  readonly changes: Changes
  /** As it was after so many changes, in order; made where something forks from an old entry. */
  readonly kept: { readonly changes: number; readonly world: World }[]
  readonly world: World
  /** From this seq on a commit is missing of which no erasure says what it made. */
  unknownFrom: number
}

/** As text, in bytes: they are needed again only where something forks from an old entry. */
type Changes = {
  readonly add: (change: Change) => void
  readonly size: () => number
  readonly bytes: () => number
  readonly readChange: (index: number) => { readonly change: Change; readonly length: number }
  /** How many of them stand up to there. */
  readonly countUpTo: (seq: number) => number
}

function createChanges(): Changes {
  const log = createByteLog()
  const places: number[] = []
  const seqs: number[] = []
  let total = 0
  return {
    add(change) {
      const bytes = encodeUtf8(JSON.stringify(change))
      seqs.push(change.seq)
      total += bytes.length
      const length = new Uint32Array([bytes.length])
      const record = joinBytes(new Uint8Array(length.buffer), bytes)
      places.push(log.append(record, record.length))
    },
    size: () => places.length,
    bytes: () => total,
    readChange(index) {
      const { piece, start } = log.at(places[index] ?? 0)
      const [length = 0] = new Uint32Array(piece.slice(start, start + 4).buffer)
      const text = decoder.decode(piece.subarray(start + 4, start + 4 + length))
      return { change: JSON.parse(text) as Change, length }
    },
    countUpTo(seq) {
      let [from, to] = [0, seqs.length]
      while (from < to) {
        const middle = (from + to) >>> 1
        if ((seqs[middle] ?? 0) <= seq) from = middle + 1
        else to = middle
      }
      return from
    },
  }
}

const decoder = new TextDecoder()

/** `erasedAt`: what the erased commit at that leaf made of the World. */
export function createWorlds(sha256: Sha256, erasedAt: ErasedAt): Worlds {
  const histories = createHistories(sha256)
  const waiting: PlacedStep[] = []

  const fold = (placed: PlacedStep): readonly Problem[] => {
    const { step } = placed
    let problem: Problem | undefined
    if (step.kind === 'commit') problem = applyCommit(histories, placed, step)
    else if (step.kind === 'branch') problem = applyBranch(histories, placed, step)
    else applyErasure(histories, placed, erasedAt(placed.place.leaf))
    return problem === undefined ? [] : [problem]
  }

  const check = (entry: ReadEntry): readonly Problem[] => {
    const step = toWorldStep(entry)
    if (step === undefined) return []
    const { leaf, id, envelope } = entry
    const { trajectory, seq } = envelope
    const placed: PlacedStep = { place: { leaf, trajectory, seq }, id, step }
    if (step.kind !== 'erased' && waiting.length === 0) return fold(placed)
    waiting.push(placed)
    return []
  }

  const close = (): readonly Finding[] =>
    waiting.flatMap((placed) => fold(placed).map((problem) => ({ ...placed.place, ...problem })))

  return { check, close }
}

type ErasedAt = (leaf: number) => readonly WorldLeaf[] | undefined

type Histories = {
  readonly get: (trajectory: string) => History | undefined
  /** Of a trajectory that did not begin with a branch: from nothing. */
  readonly of: (trajectory: string) => History
  readonly begin: (trajectory: string, start: World | undefined) => History
}

function createHistories(sha256: Sha256): Histories {
  const histories = new Map<string, History>()
  const begin = (trajectory: string, start = createWorld(sha256)): History => {
    const world = start.fork()
    const changes = createChanges()
    const history: History = {
      start,
      changes,
      kept: [{ changes: 0, world: start }],
      world,
      unknownFrom: Number.POSITIVE_INFINITY,
    }
    histories.set(trajectory, history)
    return history
  }
  return {
    get: (trajectory) => histories.get(trajectory),
    of: (trajectory) => histories.get(trajectory) ?? begin(trajectory),
    begin,
  }
}

function applyCommit(
  histories: Histories,
  { place, id }: PlacedStep,
  step: Extract<Step, { kind: 'commit' }>,
): Problem | undefined {
  const { trajectory, seq } = place
  const history = histories.of(trajectory)
  if (seq >= history.unknownFrom) return undefined
  const delta = parseDelta(step.delta)
  if (!delta.ok) return toMismatch(`the delta cannot be read: ${delta.error}`)
  const applied = history.world.apply(delta.value, id)
  if (!applied.ok) return toMismatch(`the delta does not apply: ${applied.error.detail}`)
  if (delta.value.length > 0) history.changes.add({ seq, id, delta: delta.value })
  return findRootProblem(history.world, step.after)
}

function applyErasure(
  histories: Histories,
  { place, id }: PlacedStep,
  leaves: readonly WorldLeaf[] | undefined,
): void {
  const { trajectory, seq } = place
  const history = histories.of(trajectory)
  if (leaves === undefined) {
    history.unknownFrom = Math.min(history.unknownFrom, seq)
    return
  }
  history.world.applyErased(leaves)
  history.changes.add({ seq, id, leaves })
}

function applyBranch(
  histories: Histories,
  { place }: PlacedStep,
  { source, after }: Extract<Step, { kind: 'branch' }>,
): Problem | undefined {
  const origin = histories.get(source.trajectory)
  const fork = origin === undefined ? undefined : foldWorldAt(origin, source.seq)
  const history = histories.begin(place.trajectory, fork)
  if (origin !== undefined && source.seq >= origin.unknownFrom) {
    history.unknownFrom = 0
    return undefined
  }
  return findRootProblem(history.world, after)
}

function toWorldStep({ envelope, payload }: ReadEntry): Step | undefined {
  if (payload?.kind === 'commit') {
    const { delta, world_after } = payload.payload
    return { kind: 'commit', delta: delta, after: world_after }
  }
  if (payload?.kind === 'branch') {
    const { source, world_after } = payload.payload
    return { kind: 'branch', source, after: world_after }
  }
  // A commit that cannot be read made as little known as one that is missing.
  return envelope.kind === 'commit' ? { kind: 'erased' } : undefined
}

/** Worlds that are kept of one history, as many at most; so much lies between two of them, at least. */
const KEPT = 64
const KEPT_CHANGES = 64
const KEPT_BYTES = 65_536

/**
 * Folded again from the nearest one that is kept. Whoever writes a ledger chooses how often, and from where,
 * it is forked: what was folded for one fork is kept for the next.
 */
function foldWorldAt({ changes, kept }: History, seq: number): World {
  const wanted = changes.countUpTo(seq)
  const place = kept.findLastIndex((one) => one.changes <= wanted)
  const nearest = kept[place]
  assert(nearest !== undefined, 'a history is kept from its beginning on')
  const most = {
    changes: Math.max(KEPT_CHANGES, changes.size() / KEPT),
    bytes: Math.max(KEPT_BYTES, changes.bytes() / KEPT),
  }
  const world = nearest.world.fork()
  let [count, bytes] = [0, 0]
  for (let index = nearest.changes; index < wanted; index += 1) {
    const { change, length } = changes.readChange(index)
    if ('leaves' in change) world.applyErased(change.leaves)
    else world.apply(change.delta, change.id)
    count += 1
    bytes += length
    if (count < most.changes && bytes < most.bytes) continue
    kept.push({ changes: index + 1, world: world.fork() })
    ;[count, bytes] = [0, 0]
  }
  kept.sort((a, b) => a.changes - b.changes)
  return world
}

function findRootProblem(world: World, recorded: string): Problem | undefined {
  if (!world.isKnown()) return undefined
  const found = encodeHex(world.root())
  if (found === recorded) return undefined
  return toMismatch('the entries lead to another World', { expected: recorded, found })
}

function toMismatch(detail: string, compared: Pick<Problem, 'expected' | 'found'> = {}): Problem {
  return { code: 'WORLD_MISMATCH', detail, ...compared }
}
