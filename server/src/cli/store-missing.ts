/** What to do where there is no store: most often somebody is in another folder, or means the store of `rubicon dev`. */
import { existsSync } from 'node:fs'
import { StoreError } from 'rubicon-runtime/ports'
import type { StorePlace } from './call.ts'
import { DEFAULT_STORE, DEV_STATE, DEV_STORE } from './store-option.ts'

/** Passes every other error on as it is. */
export function nameOtherStores({ store }: StorePlace, error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'STORE_MISSING') throw error
  throw new StoreError(error.code, error.message, findStoreFix(store) ?? error.fix, error)
}

/** Null where somebody has named a store, which is then the wrong one. */
export function findStoreFix(store: string): string | null {
  if (store !== DEFAULT_STORE) return null
  return existsSync(DEV_STORE)
    ? `the store of \`rubicon dev\` is another: add \`--store sqlite:${DEV_STORE} --state ${DEV_STATE}\``
    : 'go to the folder of your project, or name its store with --store; `rubicon init` makes a project'
}
