/** Puts other bytes in the place of an artifact that nothing reads. The bytes are in a store; a delta names them by their hash. */
import { err, isAddress, ok, type Result } from 'rubicon-kernel'
import type { BinaryArtifact } from '../formats/binary/read-binary.ts'
import type { Delta } from './delta.ts'
import type { DeltaProblem } from './plan.ts'

type PutBinary = Extract<Delta, { op: 'putBinary' }>

export type BinaryPlan = {
  readonly content_hash: string
  /** Null: there was nothing before it. */
  readonly inverse: PutBinary | null
}

/** `current`: null of an artifact that is not there yet. `isHeld`: whether the store has bytes of a hash. */
export function planPutBinary(
  current: Pick<BinaryArtifact, 'content_hash'> | null,
  { content_hash }: PutBinary,
  isHeld: (hash: string) => boolean,
): Result<BinaryPlan, DeltaProblem> {
  if (!isAddress(content_hash))
    return err({
      code: 'FRAGMENT_INVALID',
      detail: 'a hash is `sha256:` and 64 hexadecimal digits',
    })
  if (!isHeld(content_hash))
    return err({ code: 'FRAGMENT_INVALID', detail: `nobody has the bytes of \`${content_hash}\`` })
  const inverse: PutBinary | null =
    current === null ? null : { op: 'putBinary', content_hash: current.content_hash }
  return ok({ content_hash, inverse })
}
