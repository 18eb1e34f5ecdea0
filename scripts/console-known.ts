/** Asks a filled store for one thing of each kind, for the places that show one. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from 'rubicon-agents/client'
import type { Known } from './console-places.ts'
import { readBody } from './everyday/look.ts'

export async function fetchKnown({
  url,
  token,
}: {
  readonly url: string
  readonly token: string
}): Promise<Known> {
  const client = createClient({ url, headers: () => ({ authorization: `Bearer ${token}` }) })
  await awaitIndex(client)
  const query = { limit: '1' }
  const [request] = readBody(await client.listInbox({ query })).requests
  const [flow] = readBody(await client.listFlows({ query: { ...query, state: 'ABORTED' } })).flows
  const [effect] = readBody(await client.listExecutions({ query })).executions
  const [entry] = readBody(await client.findEntries({ query })).entries
  const [monitor] = readBody(await client.listMonitors()).monitors
  const [key] = readBody(await client.listKeys({ query })).keys
  const world = readBody(await client.getWorld({ params: { id: 'main' }, query }))
  const [resource] = world.resources
  return {
    request: request?.id ?? '',
    flow: flow?.dfid ?? '',
    leaf: String(entry?.leaf ?? 0),
    agent: monitor?.agent_id ?? '',
    monitor: monitor?.monitor.name ?? '',
    execution: `${effect?.dfid}:${effect?.step_id}`,
    resource: `${resource?.kind}/${resource?.id}`,
    key: key?.key_id ?? '',
  }
}

/** How long lists take is of no interest while many of them wait for an index that is being built. */
async function awaitIndex(client: Client): Promise<void> {
  const until = Date.now() + WAITS_MS
  for (;;) {
    const { indexed } = readBody(await client.getOverview({ query: {} }))
    if (indexed.leaf >= indexed.size) return
    if (Date.now() > until)
      throw new Error(`the index stands at ${indexed.leaf} of ${indexed.size}`)
    await wait(ASKS_EVERY_MS)
  }
}

const WAITS_MS = 900_000
const ASKS_EVERY_MS = 500
