import { StoreError } from '../../ports/store.ts'

export function closedError(): StoreError {
  return new StoreError('STORE_CLOSED', 'the store is closed', 'open it again')
}
