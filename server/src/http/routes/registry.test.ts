/** A registry elsewhere, over the wire: what holds while it is away, and what it cannot make anybody believe. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { hashText, type JsonObject, LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  createRuntime,
  openHttpManifest,
  type Runtime,
  systemClock,
} from '../../../../runtime/src/compose.ts'
import { storeManifest } from '../../../../runtime/src/engine/authority/authority-cache.ts'
import { readings } from '../../../../runtime/src/engine/telemetry/readings.ts'
import type { Capability } from '../../../../runtime/src/ports/capability.ts'
import type { ManifestSource } from '../../../../runtime/src/ports/manifest-source.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import { startServer } from '../server.ts'

const AGENT = 'refunds_bot'

type Change = (text: string) => string
type Line = {
  readonly url: string
  /** What becomes of answers on their way from now on. */
  tamper(change: Change): void
  cut(): Promise<void>
}

const pass: Change = (text) => text

/** A line to the registry that can be cut, and on which somebody sits. */
async function openLine(target: string): Promise<Line> {
  let change = pass
  const server: Server = createServer(async (request, reply) => {
    const { authorization = '' } = request.headers
    const answer = await fetch(`${target}${request.url}`, { headers: { authorization } })
    const type = answer.headers.get('content-type') ?? ''
    reply.writeHead(answer.status, { 'content-type': type }).end(change(await answer.text()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tamper(next) {
      change = next
    },
    cut: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

type Remote = {
  readonly runtime: Runtime
  readonly at: string
  readonly line: Line
  pass(ms: number): void
  /** For a process that knows nothing yet. */
  openAnother(): ManifestSource
}

/** A runtime that reads its authority over the wire, from a server on its own store. */
async function remote(
  t: TestContext,
  capabilities: readonly Capability[] = [refundCapability([])],
): Promise<Remote> {
  let source: ManifestSource | null = null
  let passed = 0
  const select = (): ManifestSource => source ?? storeManifest(runtime.store)
  const runtime: Runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities,
    report: () => {},
    manifest: {
      head: () => select().head(),
      entries: (from, limit) => select().entries(from, limit),
    },
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + passed },
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const { engine } = runtime
  const token = 'a-token-of-the-mirror-0123456789'
  const known: KnownPerson[] = [
    { name: 'mirror', roles: ['auditor'], token_hash: hashText(token, nodeCrypto.sha256) },
  ]
  const people = createPeople(() => known, nodeCrypto.sha256)
  const started = await startServer({ engine, people, host: '127.0.0.1', report: () => {} }, 0)
  assert.ok(started.ok)
  const server = started.value
  t.after(() => server.close())
  const line = await openLine(server.url)
  t.after(() => line.cut())
  const { signer, tenant } = engine.context
  const publicKey = signer.publicKey('checkpoint')?.public_key ?? ''
  const openAnother = () => openHttpManifest({ url: line.url, publicKey, tenant, token })
  source = openAnother()
  const pass = (ms: number): void => {
    passed += ms
  }
  return { runtime, at: server.url, line, pass, openAnother }
}

test('while the registry is away known agents go on for the time of the cache, and nothing new is admitted', async (t) => {
  const { runtime, at, line, pass } = await remote(t)
  const refund = async (): Promise<string> => {
    const flow = await runtime.open({ agent: AGENT, trigger: 'a ticket' })
    const answer = await flow.propose({
      policy_kind: 'REFUND',
      params: { order: flow.dfid, amount: '10.00' },
    })
    return answer.reason_code ?? answer.outcome
  }
  assert.equal(await refund(), 'ACCEPTED')
  await line.cut()
  assert.equal(await refund(), 'ACCEPTED', 'from the cache')
  const { engine } = runtime
  const other = { ...buildRefundsContract(), agent_id: 'newcomer' }
  await assert.rejects(runtime.deploy(other), /registry/)
  assert.equal(engine.status.degraded, true)
  const ready = await fetch(`${at}/readyz`)
  assert.equal(ready.status, 503)
  assert.match(await ready.text(), /REGISTRY_UNAVAILABLE/)
  const isDegraded = async (): Promise<number | undefined> =>
    (await readings(engine.context)).find(({ name }) => name === 'rubicon_registry_degraded')?.value
  assert.equal(await isDegraded(), 1)
  pass(LIMITS.manifestTtlMs + 1)
  assert.equal(await isDegraded(), 1, 'figures are there when nothing is decided any more')
  await assert.rejects(refund(), /registry/)
})

test('an answer that was changed, was given to another question, or knows less than before is not believed', async (t) => {
  const { runtime, line } = await remote(t)
  const { context } = runtime.engine
  const load = () => context.authorities.loadLatest()
  const { seq } = await load()
  const answers: string[] = []
  line.tamper((text) => {
    answers.push(text)
    return text
  })
  await load()
  const [old = ''] = answers
  const changes: readonly Change[] = [
    () => old,
    (text) => text.replace(/"head":\d+/, '"head":999'),
    (text) => text.replace('"signature":{', '"signature":{"x":1,'),
    () => '{}',
    () => '<html>',
  ]
  for (const change of changes) {
    line.tamper(change)
    await load()
    assert.equal(context.authorities.degraded, true, change.toString())
    assert.equal(context.authorities.remembered.seq, seq)
    line.tamper(pass)
    await load()
    assert.equal(context.authorities.degraded, false)
  }
})

test('a capability that is as deep as one may be does not end the authority of whoever reads it elsewhere', async (t) => {
  let params: JsonObject = { type: 'string' }
  for (let level = 0; level < 29; level++) params = { type: 'object', properties: { a: params } }
  const deep: Capability = {
    kind: 'DEEP',
    effect: 'read',
    risk: 'low',
    params,
    execute: () => ({ result: {} }),
  }
  const { openAnother } = await remote(t, [refundCapability([]), deep])
  const source = openAnother()
  const entries = await source.entries(0, LIMITS.entriesPerPage)
  assert.equal(entries.length, (await source.head()) + 1)
})

test('a history that is longer than a page may be does not end the authority of whoever reads it elsewhere', async (t) => {
  const { runtime, line, openAnother } = await remote(t)
  const mission = 'x'.repeat(16_000)
  for (let at = 0; at < 270; at++)
    await runtime.deploy({ ...buildRefundsContract(), agent_id: `bot_${at}`, mission })
  const lengths: number[] = []
  line.tamper((text) => {
    lengths.push(text.length)
    return text
  })
  const source = openAnother()
  const entries = await source.entries(0, LIMITS.entriesPerPage)
  assert.equal(entries.length, (await source.head()) + 1)
  assert.ok(Math.max(...lengths) < 4.9 * 1024 * 1024, `${lengths}`)
  assert.ok(lengths.length > 2, `${lengths}`)
})

test('a registry beyond this machine needs https, and a key that is one', () => {
  const publicKey = Buffer.alloc(32).toString('base64')
  const options = { url: 'http://registry.example', publicKey, tenant: 'acme', token: 't' }
  assert.throws(() => openHttpManifest(options), /https/)
  const short = { ...options, url: 'https://registry.example', publicKey: 'AAAA' }
  assert.throws(() => openHttpManifest(short), /32 bytes/)
  assert.throws(
    () => openHttpManifest({ ...options, url: 'https://a:b@registry.example' }),
    /password/,
  )
})
