/** Asks a filled store for one thing of each kind, for the places that show one. */
import { createClient } from 'rubicon-agents/client'
import type { KnownMesh } from './console-mesh.ts'
import type { Known } from './console-places.ts'

export async function fetchKnown({
  url,
  token,
}: {
  readonly url: string
  readonly token: string
}): Promise<Omit<Known, keyof KnownMesh>> {
  const client = createClient({ url, headers: () => ({ authorization: `Bearer ${token}` }) })
  const [inbox, flows, effects, ledger, monitors] = await Promise.all([
    client.listInbox({ query: { limit: '1' } }),
    client.listFlows({ query: { state: 'ABORTED', limit: '1' } }),
    client.listExecutions({ query: { limit: '1' } }),
    client.findEntries({ query: { limit: '1' } }),
    client.listMonitors(),
  ])
  if (!inbox.ok || !flows.ok || !effects.ok || !ledger.ok || !monitors.ok)
    throw new Error('the filled store cannot be asked')
  const [effect] = effects.body.executions
  const [monitor] = monitors.body.monitors
  return {
    request: inbox.body.requests[0]?.id ?? '',
    flow: flows.body.flows[0]?.dfid ?? '',
    leaf: String(ledger.body.entries[0]?.leaf ?? 0),
    agent: monitor?.agent_id ?? '',
    monitor: monitor?.monitor.name ?? '',
    execution: `${effect?.dfid}:${effect?.step_id}`,
  }
}
