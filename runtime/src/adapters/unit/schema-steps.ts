/**
 * The steps of a schema that a store has, held against those of this version.
 *
 * Invariants:
 * 1. A store from a newer version is refused, not touched.
 * 2. A step that was applied is never another one under the same number: its checksum is kept.
 */
import { encodeHex, encodeUtf8, type Sha256 } from 'rubicon-kernel'
import { StoreError } from '../../ports/store.ts'

/** A step of the schema. Once released it never changes: its checksum is kept in every store. */
export type SchemaStep = {
  readonly number: number
  readonly name: string
  readonly sql: string
}

export type AppliedStep = { readonly number: number; readonly checksum: string }

/** Throws when the steps that a store has are not the first of ours. `shown`: the store, as messages name it. */
export function checkAppliedSteps(
  applied: readonly AppliedStep[],
  steps: readonly SchemaStep[],
  shown: string,
  sha256: Sha256,
): void {
  if (applied.length > steps.length) {
    throw new StoreError(
      'STORE_NEWER',
      `store \`${shown}\` was written by a newer version: schema ${applied.length}, ` +
        `this version knows ${steps.length}`,
      'use that version or a later one; the store was not touched',
    )
  }
  for (const [i, { number, checksum }] of applied.entries()) {
    const step = steps[i]
    if (step?.number === number && computeStepChecksum(step, sha256) === checksum) continue
    throw new StoreError(
      'STORE_CORRUPT',
      `store \`${shown}\`: schema step ${number} is not the one that this version has`,
      'it was changed, or comes from a build that was never released; restore a backup',
    )
  }
}

export function computeStepChecksum({ sql }: SchemaStep, sha256: Sha256): string {
  return encodeHex(sha256(encodeUtf8(sql)))
}
