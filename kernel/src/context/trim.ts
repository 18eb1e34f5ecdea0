/**
 * Fits the layers into the token budget by leaving out whole items.
 *
 * Invariants:
 * 1. There is one order of leaving out: artifacts from the worst ranked, then memory from the
 *    oldest, then session from the oldest. What is left out is always a beginning of it.
 * 2. So whatever a smaller budget leaves room for, a larger one does too.
 * 3. What is fixed, and the newest session event, is never left out.
 */
import { assert } from '../assert.ts'
import type { ArtifactRef, SessionEvent, StoredMemory } from './layers.ts'

export type Layers = {
  /** Oldest first. */
  readonly session: readonly SessionEvent[]
  /** Oldest first. */
  readonly memory: readonly StoredMemory[]
  /** Best first. */
  readonly artifacts: readonly ArtifactRef[]
}

export type Fitted = Layers & {
  /** The tokens of all that stays. */
  readonly used: number
}

/** More than the budget allows when nothing else can be left out. */
export function trimToBudget(layers: Layers, fixed: number, budget: number): Fitted {
  const { session, memory, artifacts } = layers
  const leavable = [...artifacts.toReversed(), ...memory, ...session.slice(0, -1)]
  let used = fixed + sumTokens([...session, ...memory, ...artifacts])
  let less = 0
  for (const { tokens } of leavable) {
    if (used <= budget) break
    used -= tokens
    less += 1
  }
  const lessArtifacts = Math.min(less, artifacts.length)
  const lessMemory = Math.min(less - lessArtifacts, memory.length)
  const lessSession = less - lessArtifacts - lessMemory
  return {
    session: session.slice(lessSession),
    memory: memory.slice(lessMemory),
    artifacts: artifacts.slice(0, artifacts.length - lessArtifacts),
    used,
  }
}

function sumTokens(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + assertNatural(tokens), 0)
}

/** A count below zero would make room for what does not fit. */
export function assertNatural(count: number): number {
  assert(Number.isSafeInteger(count) && count >= 0, 'tokens are counted in natural numbers')
  return count
}
