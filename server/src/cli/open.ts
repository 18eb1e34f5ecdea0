/** Opens the store for a verb and lets go of it afterwards, whatever happens. */
import { existsSync } from 'node:fs'
import { createOperator, openStore, type RuntimeOptions } from 'rubicon-runtime/compose'
import type { Engine } from 'rubicon-runtime/engine'
import { initialiseAuthority } from 'rubicon-runtime/engine/authority'
import { openLedger } from 'rubicon-runtime/engine/ledger'
import { isPostgresAddress, type Store, StoreError } from 'rubicon-runtime/ports'
import type { CommandCall, StorePlace } from './call.ts'
import { CliFailure, unwrap } from './failure.ts'
import { readPassphrase } from './passphrase.ts'
import { findStoreFix, nameOtherStores } from './store-missing.ts'

/** Reads beside a running runtime. */
export async function readFromStore<T>(
  place: StorePlace,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(place.store, place.tenant, undefined, 'read').catch((error) =>
    nameOtherStores(place, error),
  )
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The store and the keys, as a runtime takes them. */
export function toRuntimeOptions(place: StorePlace): RuntimeOptions {
  const { store, tenant, state } = place
  return {
    store,
    tenant,
    ...(state === undefined ? {} : { stateDirectory: state }),
    ...toKeyOptions(place),
  }
}

export function toKeyOptions(place: StorePlace): Pick<RuntimeOptions, 'keyAgent' | 'passphrase'> {
  const passphrase = readPassphrase(place)
  const { keyAgent } = place
  return {
    ...(keyAgent === undefined ? {} : { keyAgent }),
    ...(passphrase === undefined ? {} : { passphrase }),
  }
}

/** Changes authority. `create`: the store, and the ledger in it, may be made by this verb. */
export async function executeWithEngine<T>(
  { place }: CommandCall,
  work: (engine: Engine) => Promise<T>,
  options: { readonly create?: boolean; readonly evenRolledBack?: boolean } = {},
): Promise<T> {
  if (options.create !== true) await assertThere(place)
  const engine = await createOperator(toRuntimeOptions(place)).catch((error) => {
    // What has to work where no engine starts is asked of no server.
    if (options.evenRolledBack === true) throw error
    return nameTheServer(error)
  })
  let done = false
  try {
    const { context } = engine
    if (options.create !== true && options.evenRolledBack !== true)
      await assertBegun(context.store, place)
    unwrap(
      await (options.evenRolledBack === true ? initialiseAuthority(context) : openLedger(context)),
    )
    const result = await work(engine)
    done = true
    return result
  } finally {
    await (done ? engine.stop() : engine.context.store.close())
  }
}

/** Whoever holds a store is most likely a server, and a server can be asked. */
function nameTheServer(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error
  const fix =
    'it has no socket that you can open: ask it with --server URL, and its token in RUBICON_TOKEN or --token-file; or stop it'
  throw new StoreError(error.code, error.message, fix, error)
}

async function assertThere(place: StorePlace): Promise<void> {
  const path = parseSqlitePath(place.store)
  // Only a server knows what is on it: a reader makes nothing, and says when there is nothing.
  if (isPostgresAddress(place.store)) await readFromStore(place, async () => {})
  if (path === undefined || existsSync(path)) return
  throw new CliFailure({
    code: 'STORE_MISSING',
    summary: `store \`${path}\` does not exist`,
    fix:
      findStoreFix(place.store) ?? 'check --store; `rubicon contract deploy FILE` makes a new one',
  })
}

/** A tenant that was mistyped would get a ledger of its own, for good, from a verb that was to change something in another. */
async function assertBegun(store: Store, { tenant }: StorePlace): Promise<void> {
  const { size, head } = await store.readTree()
  if (size > 0 || head !== null) return
  throw new CliFailure({
    code: 'TENANT_UNKNOWN',
    summary: `the store has no ledger of tenant \`${tenant}\``,
    fix: 'check --tenant; `rubicon contract deploy FILE` and `rubicon up` begin one',
  })
}

/** The file behind a store's address. */
export function parseSqlitePath(address: string): string | undefined {
  return address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : undefined
}
