/** A runtime behind a real server on loopback, with people and agents who may ask. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { AgentKey } from 'rubicon-agents'
import { type Contract, hashText, type WorkingContext } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime, type Runtime, type RuntimeOptions } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../demo/refunds.ts'
import { createPeople, type KnownPerson } from '../people/people.ts'
import type { PersonRole } from '../people/principal.ts'
import { makeAgentKey, requestSigner, signHandshakeBody } from './agent-auth/agent-key.ts'
import { ask, type HttpAnswer, type HttpPlace, type HttpQuestion } from './agent-auth/client.ts'
import { type RunningServer, startServer } from './server.ts'
import type { ServerParts } from './server-parts.ts'
import './schemas/watch-fetch.test-support.ts'

export const AGENT = 'refunds_bot'

export type Served = {
  readonly runtime: Runtime
  readonly server: RunningServer
  readonly calls: string[]
  readonly reports: string[]
  readonly options: RuntimeOptions
  /** A person with these roles. */
  person(name: string, ...roles: readonly PersonRole[]): HttpPlace
  /** A registered agent after its handshake over the wire. */
  agent(name?: string): Promise<HttpPlace>
  key(name: string): Promise<AgentKey>
  /** Opens a flow over the wire. */
  open(agent: HttpPlace, more?: object): Promise<OpenFlow>
  propose(agent: HttpPlace, flow: OpenFlow, more?: object): Promise<HttpAnswer>
  close(): Promise<void>
}

export type OpenFlow = { readonly dfid: string; readonly context: WorkingContext }

export type ServedOptions = RuntimeOptions & {
  readonly parts?: Partial<ServerParts>
  readonly calls?: string[]
  /** In place of that of the agent who refunds. */
  readonly contracts?: readonly Contract[]
}

export async function served(
  t: TestContext,
  { parts = {}, calls = [], contracts, ...given }: ServedOptions = {},
): Promise<Served> {
  const stateDirectory = given.stateDirectory ?? temporaryFolder()
  const capabilities = given.capabilities ?? [refundCapability(calls)]
  const options = { store: 'memory', report: () => {}, ...given, stateDirectory, capabilities }
  const runtime = await createRuntime(options)
  for (const contract of contracts ?? [buildRefundsContract()]) await runtime.deploy(contract)
  const known: KnownPerson[] = []
  const reports: string[] = []
  const { engine } = runtime
  const started = await startServer(
    {
      engine,
      people: createPeople(() => known, nodeCrypto.sha256),
      host: '127.0.0.1',
      report: (line) => reports.push(line),
      // A machine that is busy with other tests takes its time over a draft too.
      draftMs: 30_000,
      ...parts,
    },
    0,
  )
  assert.ok(started.ok)
  const server = started.value
  const keys = new Map<string, AgentKey>()
  const key = async (agent: string): Promise<AgentKey> => {
    const made = keys.get(agent)
    if (made !== undefined) return made
    const registered = await makeAgentKey(engine, agent)
    assert.ok(registered.ok)
    keys.set(agent, registered.value)
    return registered.value
  }
  let closed = false
  const close = async (): Promise<void> => {
    if (closed) return
    closed = true
    await server.close()
    await runtime.close()
  }
  t.after(close)
  return {
    runtime,
    server,
    calls,
    reports,
    options,
    key,
    close,
    person(name, ...roles) {
      const token = `token-of-${name}-${'x'.repeat(32)}`
      known.push({ name, roles, token_hash: hashText(token, nodeCrypto.sha256) })
      return { url: server.url, token }
    },
    async agent(name = AGENT) {
      const body = await signHandshakeBody(engine, name, await key(name))
      const { status, body: said } = await post({ url: server.url }, '/v1/agents/handshake', {
        body,
      })
      assert.equal(status, 200, JSON.stringify(said))
      const sign = requestSigner(engine, await key(name))
      return { url: server.url, token: said.session_token, sign }
    },
    async open(agent, more = {}) {
      const body = { trigger: 'ticket 4711', ...more }
      const opened = await post(agent, '/v1/flows', { body, headers: freshKey() })
      assert.equal(opened.status, 201, JSON.stringify(opened.body))
      return opened.body
    },
    propose(agent, flow, more = {}) {
      const body = { ...refund(flow), ...more }
      return post(agent, `/v1/flows/${flow.dfid}/proposals`, { body })
    },
  }
}

/** A proposal that passes. */
export function refund({ dfid, context }: OpenFlow, amount = '20.00'): object {
  const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
  const params = { order: 'o_1', amount }
  return { dfid, agent_id, context_ref, mission_context_hash, policy_kind: 'REFUND', params }
}

let keyed = 0

export function freshKey(): Readonly<Record<string, string>> {
  keyed += 1
  return { 'idempotency-key': `key-${keyed}` }
}

export function post(place: HttpPlace, path: string, question?: HttpQuestion): Promise<HttpAnswer> {
  return ask(place, 'POST', path, question)
}

export function get(place: HttpPlace, path: string, question?: HttpQuestion): Promise<HttpAnswer> {
  return ask(place, 'GET', path, question)
}

/** What a refusal comes to: its status, its code, and that it is a problem document. */
export function problemOf({ status, headers, body }: HttpAnswer): readonly [number, string] {
  assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(body.status, status)
  for (const member of ['type', 'title', 'detail']) assert.equal(typeof body[member], 'string')
  assert.ok(!JSON.stringify(body).includes('.ts:'), 'no stack traces')
  return [status, body.code]
}
