import type { JsonObject } from 'rubicon-kernel'
import { type Gateway, listArtifactTools, type McpList } from 'rubicon-mcp'
import type { Runtime } from 'rubicon-runtime/compose'
import { loadMayRead } from './may-read.ts'

/** What a client of an agent is shown: what servers behind the gateway offer, and the artifacts of the runtime, as its contract has them. */
export async function listForAgent(
  { behind }: Pick<Gateway, 'behind'>,
  { engine, place }: Pick<Runtime, 'engine' | 'place'>,
  list: McpList,
  agent: string,
): Promise<readonly JsonObject[]> {
  const mayRead = await loadMayRead(engine, agent)
  const listed = await behind.list(list, mayRead)
  const isShown = list === 'tools' && place.artifacts !== null
  return isShown ? [...listed, ...listArtifactTools(mayRead)] : listed
}
