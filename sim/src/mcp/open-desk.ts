/** A runtime behind a gateway with a hostile server for each case, and an agent of its own for each. */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { connectInProcess } from 'rubicon-agents'
import { formatInstant } from 'rubicon-kernel'
import {
  createFront,
  type Gateway,
  nameProcessConversation,
  openGateway,
  parseMcpConfig,
  type ToolLock,
} from 'rubicon-mcp'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { sha256 } from 'rubicon-runtime/system'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGREED, MOST_PAID } from './agreed-tools.ts'
import { ClientWire } from './client-wire.ts'
import { openHostileAddresses } from './hostile-address.ts'
import type { SentCall, ServerPlan } from './server-plan.ts'

const PROGRAM = fileURLToPath(new URL('./hostile-server.ts', import.meta.url))
const ANN = 'ann@example.com'

export type DeskCase = { readonly plan: ServerPlan; readonly timeoutMs?: number }

export type Desk = {
  readonly runtime: Runtime
  /** A client that speaks with the gateway in the name of the agent of a case. */
  connect(index: number): Promise<ClientWire>
  /** Resolves once the server of a case has listed its tools, or has shown that it does not. */
  start(index: number): Promise<void>
  /** What happened outside so far. */
  readCalls(): readonly SentCall[]
  /** A person agrees to what waits in a flow. */
  approve(dfid: string): Promise<void>
  /** Approved by that person: flows. */
  readonly approved: ReadonlySet<string>
  close(): Promise<void>
}

export function toServerName(index: number): string {
  return `s${index}`
}

export async function openDesk(cases: readonly DeskCase[], folder: string): Promise<Desk> {
  const file = `${folder}/outside.jsonl`
  writeFileSync(file, '')
  const addresses = await openHostileAddresses(listAddressed(cases), file)
  const gateway = openHostileGateway(cases, file, addresses.url)
  const runtime = await createRuntime({
    ...{ store: 'memory', background: false, notifiers: {}, people: [ANN] },
    capabilities: gateway.capabilities,
    report: () => {},
  })
  for (const index of cases.keys()) await runtime.deploy(buildDeskContract(index))
  const approved = new Set<string>()
  return {
    runtime,
    approved,
    readCalls: () => readCalls(file),
    async start(index) {
      await gateway.servers
        .get(toServerName(index))
        ?.listTools()
        .catch(() => null)
    },
    connect: (index) => connectClient(runtime, gateway, index),
    async approve(dfid) {
      await approveFlow(runtime, dfid)
      approved.add(dfid)
    },
    async close() {
      await runtime.close()
      await gateway.close()
      addresses.close()
    },
  }
}

function listAddressed(cases: readonly DeskCase[]): ReadonlyMap<string, ServerPlan> {
  return new Map(
    cases.flatMap(({ plan }, index) =>
      plan.http === undefined ? [] : [[toServerName(index), plan] as const],
    ),
  )
}

function openHostileGateway(cases: readonly DeskCase[], file: string, address: string): Gateway {
  const servers = Object.fromEntries(
    cases.map(({ plan }, index) => {
      const name = toServerName(index)
      if (plan.http !== undefined) return [name, { url: `${address}/${name}/mcp` }]
      const command = [process.execPath, PROGRAM, name, JSON.stringify(plan), file]
      return [name, { command }]
    }),
  )
  const config = parseMcpConfig({ agent: 'desk', servers })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const lock: ToolLock = {
    tools: cases.flatMap(({ timeoutMs }, index) =>
      AGREED.map(([definition, said]) => ({
        server: toServerName(index),
        definition,
        class: timeoutMs === undefined ? said : { ...said, timeout_ms: timeoutMs },
      })),
    ),
  }
  const opened = openGateway(config.value, lock, sha256)
  if (!opened.ok) throw new Error(opened.error.summary)
  return opened.value
}

function toAgent(index: number): string {
  return `desk-${index}`
}

function buildDeskContract(index: number): ReturnType<typeof buildContract> {
  const name = (tool: string): string => `mcp.${toServerName(index)}.${tool}`
  return buildContract(toAgent(index), [name('pay'), name('wipe'), name('look')], {
    permissions: {
      limits: [
        { id: 'most', field: '/amount', max: String(MOST_PAID), applies_to: [name('pay')] },
        { id: 'least', field: '/amount', min: '0', applies_to: [name('pay')] },
      ],
    },
    safety_rules: {
      requires_human_approval: [name('wipe')],
      ...{ max_intent_retries: 20, escalations_per_hour: 100, rejections_per_hour: 1000 },
    },
  })
}

async function connectClient(
  runtime: Runtime,
  gateway: Gateway,
  index: number,
): Promise<ClientWire> {
  const front = {
    agent: connectInProcess(runtime, { agent: toAgent(index) }),
    tools: () => gateway.tools,
    showFlow: (dfid: string) => `/flows/${dfid}`,
    // As of a process that serves one client.
    conversation: nameProcessConversation(randomUUID()),
    waitMs: 50,
  }
  const wire = new ClientWire(() => createFront(front))
  await wire.greet()
  return wire
}

function readCalls(file: string): readonly SentCall[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as SentCall)
}

async function approveFlow({ engine }: Runtime, dfid: string): Promise<void> {
  const { oversight } = engine
  const waiting = (await oversight.escalations()).find((one) => one.dfid === dfid)
  const view = await oversight.escalation(waiting?.id ?? '')
  if (view === null) throw new Error('nothing waits')
  const { id, intent_digest, shown_snapshot, triggers, impact, acknowledge } = view.request
  const decided = await oversight.decideEscalation(
    id,
    {
      ...{ decision: 'OVERRIDE', intent_digest, shown_snapshot },
      lifts: triggers.map((one) => one.id),
      valid_until: formatInstant(Date.now() + 60_000),
      justification: 'it was asked for',
      acknowledged_impact: impact,
      ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
    },
    { kind: 'person', principal: ANN },
  )
  if (!decided.ok) throw new Error(decided.error.summary)
}
