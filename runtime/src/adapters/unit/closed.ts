import { StoreError } from '../../ports/store.ts'

export function createClosedError(): StoreError {
  return new StoreError('STORE_CLOSED', 'the store is closed', 'open it again')
}
