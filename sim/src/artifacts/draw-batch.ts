/** Batches that can be composed: several authors on one base, or one author step by step. */
import { createHash } from 'node:crypto'
import {
  type BatchEntry,
  claimDeltas,
  type Delta,
  type ParsedText,
  planDelta,
} from 'rubicon-artifacts'
import { type ClaimSet, checkComposition, type Sha256, STRATEGIES } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { drawDelta } from './draw-delta.ts'
import type { DrawnText } from './texts.ts'

export const computeSha256: Sha256 = (data) => createHash('sha256').update(data).digest()

export const ARTIFACT = 'drawn'

/** What does not fit is drawn again, so often for each that is wanted. */
const TRIES = 4

/** As many entries as were asked for, or as fit. */
export function drawBatch(
  { format, parsed }: DrawnText,
  size: number,
  rng: Rng,
): readonly BatchEntry[] {
  const entries: BatchEntry[] = []
  const claims: ClaimSet[] = []
  for (let tries = 0; tries < size * TRIES && entries.length < size; tries += 1) {
    const deltas = drawSteps({ format, parsed }, rng.pick([1, 1, 1, 2, 3]), rng, tries * LONGEST)
    // Keys in no order, so that it is not that of the batch.
    const key = `${rng.drawBelow(1_000)}.${tries}`
    const claimed = claimDeltas(parsed, deltas, format, {
      key,
      artifact: ARTIFACT,
      sha256: computeSha256,
    })
    if (!claimed.ok) continue
    if (checkComposition(STRATEGIES.SingleWriter, [...claims, claimed.value]).length > 0) continue
    claims.push(claimed.value)
    entries.push({ key, deltas })
  }
  return entries
}

const LONGEST = 4

/** Of one author, each on what the one before it leaves. */
function drawSteps(
  { format, parsed }: DrawnText,
  size: number,
  rng: Rng,
  number: number,
): readonly Delta[] {
  const deltas: Delta[] = []
  let now: ParsedText = parsed
  for (let i = 0; i < LONGEST && deltas.length < size; i += 1) {
    const delta = drawDelta(now, format, rng, number + i)
    const planned = planDelta(now, delta, format)
    if (!planned.ok) continue
    deltas.push(delta)
    now = planned.value.after
  }
  return deltas
}

/** Each fits what those before it leave. */
export function drawList({ format, parsed }: DrawnText, size: number, rng: Rng): readonly Delta[] {
  const deltas: Delta[] = []
  let now: ParsedText = parsed
  for (let tries = 0; tries < size * TRIES && deltas.length < size; tries += 1) {
    const delta = drawDelta(now, format, rng, tries)
    const planned = planDelta(now, delta, format)
    if (!planned.ok) continue
    deltas.push(delta)
    now = planned.value.after
  }
  return deltas
}

/** Most are small: all their orders are tried. */
export function drawSize(rng: Rng): number {
  if (rng.drawChance(0.75)) return rng.drawBetween(1, 5)
  return rng.drawChance(0.8) ? rng.drawBetween(6, 12) : rng.drawBetween(13, 50)
}

export function drawOrder<T>(values: readonly T[], rng: Rng): readonly T[] {
  const left = [...values]
  return values.map(() => left.splice(rng.drawBelow(left.length), 1)[0] as T)
}
