/** A batch that can be composed, in one order after the other. */
import { type BatchEntry, composeDeltas } from 'rubicon-artifacts'
import { STRATEGIES } from 'rubicon-kernel'
import { Rng } from '../rng.ts'
import { ARTIFACT, computeSha256, drawBatch, drawOrder } from './draw-batch.ts'
import { type DrawnText, drawText, rememberParses, type TextName } from './texts.ts'

/** Some of the permutations of one batch: those from `from` up to, and without, `to`. */
export type PermutedPart = {
  readonly name: TextName
  readonly from: number
  readonly to: number
}

/** The hashes of what came of them; none: no batch was composed. */
export type PermutedHashes = { readonly permutations: number; readonly hashes: readonly string[] }

const PERMUTED = 12
const TRIES = 50

/** Each permutation is drawn from its own number: so it is the same one, whoever plays it. */
export function playPermutations({ name, from, to }: PermutedPart, seed: number): PermutedHashes {
  const drawn = drawComposed(name, new Rng(seed))
  if (drawn === null) return { permutations: 0, hashes: [] }
  const hashes = new Set<string>()
  for (let i = from; i < to; i += 1) {
    const result = compose(drawn.text, drawOrder(drawn.batch, new Rng(seed + i)))
    const bytes = new TextEncoder().encode(
      result.ok ? result.value.after.text : result.error.detail,
    )
    hashes.add(Buffer.from(computeSha256(bytes)).toString('hex'))
  }
  return { permutations: to - from, hashes: [...hashes] }
}

function drawComposed(
  name: TextName,
  rng: Rng,
): { readonly text: DrawnText; readonly batch: readonly BatchEntry[] } | null {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const text = rememberParses(drawText(name, rng))
    const batch = drawBatch(text, PERMUTED, rng)
    if (batch.length >= PERMUTED / 2 && compose(text, batch).ok) return { text, batch }
  }
  return null
}

function compose(
  { parsed, format }: DrawnText,
  batch: readonly BatchEntry[],
): ReturnType<typeof composeDeltas> {
  const options = { artifact: ARTIFACT, sha256: computeSha256 }
  return composeDeltas(parsed, batch, STRATEGIES.SingleWriter, format, options)
}
