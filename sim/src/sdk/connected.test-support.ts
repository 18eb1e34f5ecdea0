/** The same agent at the same runtime, over HTTP and in process: what a suite says of one it says of both. */
import { type TestContext, test } from 'node:test'
import { type AgentConnection, connectAgent, connectInProcess } from 'rubicon-agents'
import type { Contract } from 'rubicon-kernel'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { buildRefundsContract } from '../../../server/src/demo/refunds.ts'
import {
  AGENT,
  type Served,
  type ServedOptions,
  served,
} from '../../../server/src/http/served.test-support.ts'

export type Connected = Served & { connect(agent?: string): Promise<AgentConnection> }
export type Way = 'over HTTP' | 'in process'

const WAYS: readonly Way[] = ['over HTTP', 'in process']

export const LEAD = 'lead'

/** Refunds, and an agent above that spawns. */
export function buildContracts(): readonly Contract[] {
  const { permissions } = buildRefundsContract()
  const lead = buildContract(LEAD, ['REFUND', 'SPAWN_CHILD'], {
    permissions: { limits: permissions.limits.map((limit) => ({ ...limit })) },
  })
  return [{ ...buildRefundsContract(), parent_agent: LEAD }, lead]
}

export async function stage(
  t: TestContext,
  way: Way,
  options: ServedOptions = {},
): Promise<Connected> {
  const it = await served(t, { contracts: buildContracts(), ...options })
  return {
    ...it,
    async connect(agent = AGENT) {
      const connection =
        way === 'in process'
          ? connectInProcess(it.runtime, { agent })
          : await connectAgent({ url: it.server.url, agent, key: await it.key(agent) })
      t.after(() => connection.close())
      return connection
    },
  }
}

/** One sentence, said of both. */
export function testBoth(name: string, play: (t: TestContext, way: Way) => Promise<void>): void {
  for (const way of WAYS) test(`${way}: ${name}`, (t) => play(t, way))
}
