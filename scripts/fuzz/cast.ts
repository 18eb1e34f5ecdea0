/**
 * A runtime behind a real server on loopback, with something of every kind in it, for one role to be
 * fuzzed against. Each role has its own: what one ends or erases is there for the next.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentKey } from 'rubicon-agents'
import { type Contract, hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime, type Runtime } from '../../runtime/src/compose.ts'
import { buildContract } from '../../server/src/demo/contract.ts'
import { refundCapability } from '../../server/src/demo/refunds.ts'
import {
  makeAgentKey,
  requestSigner,
  signHandshakeBody,
} from '../../server/src/http/agent-auth/agent-key.ts'
import { ask, type HttpPlace } from '../../server/src/http/agent-auth/client.ts'
import { createLookups } from '../../server/src/http/lookups/lookup-thread.ts'
import { type RunningServer, startServer } from '../../server/src/http/server.ts'
import { createPeople, type KnownPerson } from '../../server/src/people/people.ts'
import type { PersonRole } from '../../server/src/people/principal.ts'

export type FuzzRole = PersonRole | 'agent'

export type Cast = {
  readonly url: string
  readonly operator: HttpPlace
  /** What the server said went wrong inside. */
  readonly reports: readonly string[]
  /** Who asks next; a new agent where the one before was ended. */
  enter(role: FuzzRole): Promise<HttpPlace>
  close(): Promise<void>
}

/** Limits of rate are tested elsewhere; here they would hide what is behind them. */
const NO_RATE = { perSecond: 1_000_000, atOnce: 1_000_000 }
const PERSON_ROLES: readonly PersonRole[] = ['operator', 'approver', 'auditor']

export async function makeCast(): Promise<Cast> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-fuzz-'))
  const reports: string[] = []
  const report = (line: string): void => void reports.push(line)
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'ledger.db')}`,
    stateDirectory: folder,
    capabilities: [refundCapability([])],
    report,
  })
  await runtime.start()
  const server = await serveFor(runtime, report)
  const agents = createAgents(runtime, server.url)
  await agents.enter()
  return {
    url: server.url,
    reports,
    operator: { url: server.url, token: createToken('operator') },
    enter: async (role) =>
      role === 'agent' ? agents.enter() : { url: server.url, token: createToken(role) },
    async close() {
      await server.close()
      await runtime.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function serveFor(runtime: Runtime, report: (line: string) => void): Promise<RunningServer> {
  const { engine } = runtime
  const lookups = createLookups(runtime)
  if (lookups !== null) runtime.endWith(lookups)
  const known: KnownPerson[] = PERSON_ROLES.map((role) => ({
    name: role,
    roles: [role],
    token_hash: hashText(createToken(role), nodeCrypto.sha256),
  }))
  const people = createPeople(() => known, nodeCrypto.sha256)
  const parts = { engine, people, host: '127.0.0.1', report, rate: NO_RATE, strangers: NO_RATE }
  const started = await startServer(lookups === null ? parts : { ...parts, lookups }, 0)
  if (!started.ok) throw new Error(started.error.summary)
  return started.value
}

function createToken(role: PersonRole): string {
  return `token-of-the-${role}-${'x'.repeat(32)}`
}

type Agents = { enter(): Promise<HttpPlace> }

function createAgents(runtime: Runtime, url: string): Agents {
  let made = 0
  let now: { readonly name: string; readonly key: AgentKey } | null = null
  const make = async (): Promise<{ readonly name: string; readonly key: AgentKey }> => {
    made += 1
    const name = `refunds_bot_${made}`
    await runtime.deploy(buildRefundContract(name))
    const key = await makeAgentKey(runtime.engine, name)
    if (!key.ok) throw new Error(key.error.summary)
    await work(runtime, name)
    return { name, key: key.value }
  }
  return {
    async enter() {
      for (let tried = 0; tried < 2; tried += 1) {
        now ??= await make()
        const { name, key } = now
        const spoken = { end_others: true }
        const body = await signHandshakeBody(runtime.engine, name, key, spoken)
        const said = await ask({ url }, 'POST', '/v1/agents/handshake', { body })
        if (said.status === 200)
          return { url, token: said.body.session_token, sign: requestSigner(runtime.engine, key) }
        now = null
      }
      throw new Error('a new agent is not let in')
    },
  }
}

function buildRefundContract(agent: string): Contract {
  return buildContract(agent, ['REFUND'], {
    permissions: {
      limits: [
        { id: 'alone', measure: 'refund_usd', max: '500.00', on_breach: 'escalate' },
        { id: 'ever', measure: 'refund_usd', max: '5000.00' },
      ],
    },
  })
}

/** One that was done, one that was refused, some that wait, and one that is open. */
async function work({ open }: Runtime, agent: string): Promise<void> {
  for (const [order, amount] of [
    ['o_1', '20.00'],
    ['o_2', '20000.00'],
    ['o_3', '1200.00'],
    ['o_4', '1300.00'],
  ]) {
    const flow = await open({ agent, trigger: `ticket of ${order}` })
    await flow.propose({
      policy_kind: 'REFUND',
      params: { order: order ?? '', amount: amount ?? '' },
    })
  }
  await open({ agent, trigger: 'nothing was proposed yet' })
}
