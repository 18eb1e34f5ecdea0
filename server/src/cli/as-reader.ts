/**
 * A verb that reads asks the routes of the server that `--server` names; else of the one that runs on this store; else
 * those of this process, over the store opened for reading: beside whoever works on it, and without a key.
 */
import type { ClientOptions } from 'rubicon-agents'
import { type Client, createClient } from 'rubicon-agents/client'
import { createOperator, type RuntimeOptions } from 'rubicon-runtime/compose'
import type { Engine } from 'rubicon-runtime/engine'
import { type CommandCall, getServerOption, type StorePlace } from './call.ts'
import { CliFailure } from './failure.ts'
import { createRunningOptions, findRunningServer } from './running-server.ts'
import { connectToServer } from './shell/link.ts'
import { nameOtherStores } from './store-missing.ts'

/** Waited for a server that runs, before the store is read without it. */
const ANSWER_MS = 2_000

export async function executeAsReader<T>(
  call: CommandCall,
  /** `asks`: for what comes as a stream. */
  work: (client: Client, asks: ClientOptions) => Promise<T>,
): Promise<T> {
  if (call.connected !== undefined) return work(call.connected.client, call.connected.asks)
  const server = getServerOption(call)
  if (server !== undefined) {
    const { client, asks } = await connectToServer(call, server)
    return work(client, asks)
  }
  // One that hangs holds the store, which can be read all the same.
  const running = await findRunningServer(call.place, ANSWER_MS).catch(() => null)
  if (running !== null) {
    const asks = createRunningOptions(running, undefined)
    return work(createClient(asks), asks)
  }
  // All routes, and the web framework: loaded only where no server has them.
  const { createLocalServer } = await import('./local-server.ts')
  const { engine, close } = await createReadingEngine(call.place)
  const local = createLocalServer(engine, undefined)
  try {
    return await work(local.client, local.asks)
  } catch (error) {
    throw local.getThrown() ?? error
  } finally {
    await local.close()
    await close()
  }
}

/** For whoever only looks: over the store opened for reading. */
export async function createReadingEngine(
  place: StorePlace,
): Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }> {
  const engine = await createOperator(toReadingOptions(place), 'read').catch((error) =>
    nameOtherStores(place, error),
  )
  return { engine, close: () => engine.context.store.close() }
}

function toReadingOptions({ store, tenant, state }: StorePlace): RuntimeOptions {
  return {
    store,
    tenant,
    signer: KEYLESS,
    ...(state === undefined ? {} : { stateDirectory: state }),
  }
}

/** Whoever reads may not have the keys, and needs none. */
const KEYLESS: NonNullable<RuntimeOptions['signer']> = {
  publicKey: () => null,
  sign: () =>
    Promise.reject(
      new CliFailure({
        code: 'KEY_MISSING',
        summary: 'a verb that reads has no keys to sign with',
      }),
    ),
}
