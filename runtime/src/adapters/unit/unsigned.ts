import { StoreError } from '../../ports/store.ts'

/** Its head would no longer be that of its tree, and the next start would find it changed. */
export function createUnsignedError(place: string): StoreError {
  return new StoreError(
    'STORE_READ_ONLY',
    `store \`${place}\` has a signed head, and nobody here signs the next`,
    'write to it through a runtime that has started',
  )
}
