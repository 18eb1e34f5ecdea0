/**
 * Does folding the deltas give the World that every commit recorded?
 *
 * A branch may fork from any entry, so the deltas of a trajectory are kept: the World of an old
 * entry is folded again from there.
 */
import {
  type BranchPayload,
  type CommitPayload,
  createWorld,
  type Delta,
  hex,
  parseDelta,
  type Sha256,
  type World,
} from 'rubicon-kernel'
import type { ReadEntry } from './read-entry.ts'
import type { Problem } from './report.ts'

export type Worlds = { readonly check: (entry: ReadEntry) => readonly Problem[] }

type Change = { readonly seq: number; readonly id: string; readonly delta: Delta }

type History = {
  readonly start: World
  readonly changes: Change[]
  readonly world: World
  /** From this seq on a commit was erased, so that the World cannot be known. */
  unknownFrom: number
}

export function createWorlds(sha256: Sha256): Worlds {
  const histories = new Map<string, History>()

  const historyOf = (trajectory: string): History => {
    const known = histories.get(trajectory) ?? historyFrom(createWorld(sha256))
    histories.set(trajectory, known)
    return known
  }

  const committed = (entry: ReadEntry, payload: CommitPayload): Problem | undefined => {
    const { trajectory, seq } = entry.envelope
    const history = historyOf(trajectory)
    if (seq >= history.unknownFrom) return undefined
    const delta = parseDelta(payload.delta)
    if (!delta.ok) return mismatch(`the delta cannot be read: ${delta.error}`)
    const applied = history.world.apply(delta.value, entry.id)
    if (!applied.ok) return mismatch(`the delta does not apply: ${applied.error.detail}`)
    history.changes.push({ seq, id: entry.id, delta: delta.value })
    return rootProblem(history.world, payload.world_after)
  }

  const branched = (
    entry: ReadEntry,
    { source, world_after }: BranchPayload,
  ): Problem | undefined => {
    const origin = histories.get(source.trajectory)
    const fork = origin === undefined ? createWorld(sha256) : worldAt(origin, source.seq)
    const history = historyFrom(fork)
    histories.set(entry.envelope.trajectory, history)
    if (origin !== undefined && source.seq >= origin.unknownFrom) {
      history.unknownFrom = 0
      return undefined
    }
    return rootProblem(history.world, world_after)
  }

  const check = (entry: ReadEntry): readonly Problem[] => {
    const { envelope, payload } = entry
    let problem: Problem | undefined
    if (payload?.kind === 'commit') problem = committed(entry, payload.payload)
    else if (payload?.kind === 'branch') problem = branched(entry, payload.payload)
    else if (envelope.kind === 'commit') {
      const history = historyOf(envelope.trajectory)
      history.unknownFrom = Math.min(history.unknownFrom, envelope.seq)
    }
    return problem === undefined ? [] : [problem]
  }

  return { check }
}

function historyFrom(start: World): History {
  return { start, changes: [], world: start.fork(), unknownFrom: Number.POSITIVE_INFINITY }
}

function worldAt({ start, changes }: History, seq: number): World {
  const world = start.fork()
  for (const change of changes) if (change.seq <= seq) world.apply(change.delta, change.id)
  return world
}

function rootProblem(world: World, recorded: string): Problem | undefined {
  const found = hex(world.root())
  if (found === recorded) return undefined
  return mismatch('folding gives another World', { expected: recorded, found })
}

function mismatch(detail: string, compared: Pick<Problem, 'expected' | 'found'> = {}): Problem {
  return { code: 'WORLD_MISMATCH', detail, ...compared }
}
