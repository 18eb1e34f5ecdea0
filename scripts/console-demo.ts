/** The company of the demo for the console to show, with something of everything that operators look after. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from 'rubicon-agents/client'
import { EMPTY_CART } from '../server/src/demo/company/project/tickets.ts'
import type { KnownDemo } from './console-demo-places.ts'
import { type DemoServer, startDemoServer } from './everyday/demo-server.ts'
import { readBody } from './everyday/look.ts'

export type ConsoleDemo = DemoServer & { readonly known: KnownDemo }

export async function openConsoleDemo(folder: string): Promise<ConsoleDemo> {
  const server = await startDemoServer(folder)
  try {
    return { ...server, known: await findKnown(server.client) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function findKnown(client: Client): Promise<KnownDemo> {
  await awaitProject(client)
  const findFlow = async (query: Parameters<Client['listFlows']>[0]): Promise<string> =>
    readBody(await client.listFlows(query)).flows[0]?.dfid ?? ''
  const [events, inbox, monitors] = [
    readBody(await client.listTopicEvents({ query: { limit: '1' } })),
    readBody(await client.listInbox({ query: { tab: 'mine', sort: '-amount' } })),
    readBody(await client.listMonitors()),
  ]
  const shown = monitors.monitors.toSorted((a, b) => b.verdict.samples - a.verdict.samples)[0]
  return {
    event: events.events[0]?.event_id ?? '',
    proven: await findFlow({ query: { kind: 'PAY_INVOICE', limit: '1' } }),
    settled: await findFlow({
      query: { agent: 'support_desk', kind: 'OFFER', outcome: 'accepted', limit: '1' },
    }),
    family: await findFlow({ query: { words: 'three orders in it', limit: '1' } }),
    retried: await findFlow({ query: { words: 'a whole kitchen', limit: '1' } }),
    request: inbox.requests[0]?.id ?? '',
    monitor: `/monitors/${shown?.monitor.name}?agent=${shown?.agent_id}`,
    ...(await addSettings(client)),
  }
}

/** Its developers begin once it serves; the last of what they want is refused, since another plan waits for a person. */
async function awaitProject(client: Client): Promise<void> {
  const until = Date.now() + WAITS_MS
  for (;;) {
    const [last] = readBody(await client.listFlows({ query: { words: EMPTY_CART.trigger } })).flows
    if (typeof last?.outcome === 'string') return
    if (Date.now() > until) throw new Error('the developers of the demo are not done')
    await wait(ASKS_EVERY_MS)
  }
}

const WAITS_MS = 60_000
const ASKS_EVERY_MS = 200

/** What a demo has none of by itself. Nothing is sent: the channel is paused. */
async function addSettings(client: Client): Promise<Pick<KnownDemo, 'person' | 'writ'>> {
  const place = { kind: 'webhook', url: 'https://hooks.example.com/rubicon' } as const
  const channel = {
    name: 'ops',
    place,
    tells: ['escalation', 'suspension'],
    least: 'info',
    quiet_s: 60,
    paused: true,
  } as const
  readBody(await client.addChannel({ body: channel }))
  const paths = ['supplier.price.*']
  readBody(await client.registerSource({ body: { source_id: 'prices', label: 'external', paths } }))
  const person = readBody(await client.registerPerson({ body: { name: 'ann@example.com' } }))
  const body = { agent: 'refunds', hours: 24 }
  const writ = readBody(await client.issueWrit({ body, key: crypto.randomUUID() }))
  return { person: person.person_id, writ: writ.id }
}
