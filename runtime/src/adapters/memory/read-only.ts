import { StoreError } from '../../ports/store.ts'

export function createReadOnlyError(): StoreError {
  const fix = 'close what reads it, and open it to own it'
  return new StoreError('STORE_READ_ONLY', 'the memory is opened for reading', fix)
}
