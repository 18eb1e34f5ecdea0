/**
 * The server whose gateway a verb is about: the one that `--server` names, or the one that runs on this store with the
 * same MCP file. It has the servers behind it running already, and its answers say what it judges by.
 */
import { existsSync } from 'node:fs'
import { type Client, createClient } from 'rubicon-agents/client'
import { type CommandCall, getServerOption, getSpeakerName } from './call.ts'
import { findMcpFile } from './mcp-place.ts'
import { createRunningOptions, findRunningServer } from './running-server.ts'
import { unwrapAnswer } from './server-answer.ts'
import { connectToServer } from './shell/link.ts'

/** Null: there is none, and the files say everything that is known. */
export async function findGatewayServer(call: CommandCall): Promise<Client | null> {
  if (call.connected !== undefined) return call.connected.client
  const server = getServerOption(call)
  if (server !== undefined) return (await connectToServer(call, server)).client
  const running = await findRunningServer(call.place)
  if (running === null) return null
  const client = createClient(createRunningOptions(running, getSpeakerName(call)))
  const { file } = unwrapAnswer(await client.listMcpServers())
  return file !== null && isMeant(call, file) ? client : null
}

function isMeant({ options }: CommandCall, served: string): boolean {
  const file = findMcpFile(options)
  if (file === served) return true
  return options.text('mcp') === undefined && !existsSync(file)
}
