/**
 * A verb speaks with the routes of a server: with one that runs where `--server` names it, else with those of this
 * process, over the store and its keys, as the local operator.
 */
import type { Client } from 'rubicon-agents/client'
import { type CommandCall, getServerOption, getSpeakerName } from './call.ts'
import { createLocalServer } from './local-server.ts'
import { executeWithEngine } from './open.ts'
import { connectToServer } from './shell/link.ts'

export async function executeAsOperator<T>(
  call: CommandCall,
  work: (client: Client) => Promise<T>,
  options: { readonly create?: boolean } = {},
): Promise<T> {
  if (call.connected !== undefined) return work(call.connected.client)
  const server = getServerOption(call)
  if (server === undefined) return executeLocally(call, work, options)
  return work((await connectToServer(call, server)).client)
}

function executeLocally<T>(
  call: CommandCall,
  work: (client: Client) => Promise<T>,
  options: { readonly create?: boolean },
): Promise<T> {
  const by = getSpeakerName(call)
  return executeWithEngine(
    call,
    async (engine) => {
      const local = createLocalServer(engine, by)
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
