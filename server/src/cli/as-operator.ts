/**
 * A verb speaks with the routes of a server: with the one that `--server` names; else, as the local operator, with the
 * one that runs on this store, or with those of this process, over the store and its keys.
 */
import { existsSync } from 'node:fs'
import { type Client, createClient } from 'rubicon-agents/client'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import { type CommandCall, getServerOption, getSpeakerName } from './call.ts'
import { removeDisposableMark } from './disposable-store.ts'
import { executeWithEngine, parseSqlitePath } from './open.ts'
import { SYMBOLS } from './output.ts'
import { createRunningOptions, findRunningServer } from './running-server.ts'
import { connectToServer } from './shell/link.ts'

export async function executeAsOperator<T>(
  call: CommandCall,
  work: (client: Client) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  if (call.connected !== undefined) return work(call.connected.client)
  const server = getServerOption(call)
  if (server !== undefined) return work((await connectToServer(call, server)).client)
  const running = await findRunningServer(call.place)
  if (running === null) return executeLocally(call, work, options)
  return work(createClient(createRunningOptions(running, getSpeakerName(call))))
}

async function executeLocally<T>(
  call: CommandCall,
  work: (client: Client) => Promise<T>,
  options: { readonly create?: boolean },
): Promise<T> {
  const by = getSpeakerName(call)
  if (options.create === true) claimNewStore(call)
  // All routes, and the web framework: loaded only where no server has them.
  const { createLocalServer } = await import('./local-server.ts')
  return executeWithEngine(
    call,
    async (engine) => {
      const { state, store } = call.place
      const local = createLocalServer(engine, by, state ?? resolveStateDirectory(store))
      try {
        return await work(local.client)
      } catch (error) {
        throw local.getThrown() ?? error
      } finally {
        await local.close()
      }
    },
    options,
  )
}

/**
 * A mark that was left where there is no store yet is not for the one that is made now. Whoever is in another folder than they
 * believe finds their agents nowhere: the new store is named.
 */
function claimNewStore({ out, place: { store, state } }: CommandCall): void {
  const path = parseSqlitePath(store)
  if (existsSync(path ?? '')) return
  if (path !== undefined) out.note(`${SYMBOLS.info} a new store is made: ${store}`)
  removeDisposableMark({ store, state: state ?? resolveStateDirectory(store) })
}
