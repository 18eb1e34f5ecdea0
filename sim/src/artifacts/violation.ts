/** Batches that must be refused, each with one mistake in it. */
import {
  type BatchEntry,
  claimDelta,
  composeDeltas,
  type Delta,
  hashDefinition,
  hashHeader,
} from 'rubicon-artifacts'
import { type ReadClaim, STRATEGIES, type StrategyTree } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import { ARTIFACT, computeSha256, drawOrder } from './draw-batch.ts'
import { type DrawnText, parseText } from './texts.ts'

export type SeededMistake = {
  readonly name: string
  /** One of these is what it must be refused with. */
  readonly codes: readonly string[]
  build(rng: Rng): MistakeCase
}

export type MistakeCase = {
  readonly text: DrawnText
  readonly batch: readonly BatchEntry[]
  readonly strategy?: StrategyTree
}

/** Null: it is refused as it must be. */
export function playViolation({ codes, build }: SeededMistake, rng: Rng): string | null {
  const { text, batch, strategy = STRATEGIES.SingleWriter } = build(rng)
  const { parsed, format } = text
  const options = { artifact: ARTIFACT, sha256: computeSha256 }
  const result = composeDeltas(parsed, drawOrder(batch, rng), strategy, format, options)
  if (result.ok) return 'it was composed'
  const found = [result.error.code, ...(result.error.problems ?? []).map(({ kind }) => kind)]
  return found.some((code) => codes.includes(code)) ? null : `refused with ${found.join(', ')}`
}

/** A module with names of its own, so that no two cases are the same text. */
export function drawModule(rng: Rng): DrawnText & { readonly id: string } {
  const id = String(rng.drawBelow(1_000))
  const lines = [
    "import { clock } from './clock.ts'",
    '',
    `export function read${id}(at: number): number {`,
    `  return at + ${id}`,
    '}',
    '',
    `export function call${id}(): number {`,
    `  return read${id}(1)`,
    '}',
    '',
    `export class Store${id} {`,
    '  first = clock()',
    '',
    '  find(key: string): string {',
    '    return key',
    '  }',
    '',
    '  find2(key: string): string {',
    '    return this.find(key)',
    '  }',
    '}',
    '',
    `export enum Level${id} {`,
    '  low,',
    '  high,',
    '}',
    '',
    `export const table${id} = { one: 1, two: 2 }`,
    '',
    `export function over${id}(a: string): string`,
    `export function over${id}(a: number): number`,
    `export function over${id}(a: never): never {`,
    '  return a',
    '}',
    '',
  ]
  const text = lines.join(rng.pick(['\n', '\r\n']))
  return { ...parseText('drawn.ts', text), id }
}

export function toBatch(...lists: readonly (readonly Delta[])[]): readonly BatchEntry[] {
  return lists.map((deltas, i) => ({ key: `author-${i}`, deltas }))
}

/** What an author relied on in another text than the one that is there. */
export function readElsewhere(
  { parsed, format }: DrawnText,
  path: string,
  part: 'header' | 'definition',
): readonly ReadClaim[] {
  const symbol = parsed.symbols.find((one) => one.path === path)
  if (symbol === undefined) throw new Error(`there is \`${path}\``)
  const write = part === 'header' ? hashHeader : hashDefinition
  const hash = write(parsed, symbol, { type: format.type, sha256: computeSha256 })
  return [{ kind: 'symbol', path: path.split('/'), part, hash }]
}

/** What an author claims who works alone. */
export function readAlone({ parsed, format }: DrawnText, delta: Delta): readonly ReadClaim[] {
  const claimed = claimDelta(parsed, delta, format, {
    key: 'alone',
    artifact: ARTIFACT,
    sha256: computeSha256,
  })
  if (!claimed.ok) throw new Error(claimed.error.detail)
  return claimed.value.reads
}
