/** A process that starts while its registry is away: what was kept, for how long, and what of it is believed. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashText, LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  createRuntime,
  openHttpManifest,
  type Runtime,
  systemClock,
} from '../../../../runtime/src/compose.ts'
import type { ManifestSource } from '../../../../runtime/src/ports/manifest-source.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import { startServer } from '../server.ts'

const AGENT = 'refunds_bot'
/** Deployed, and never heard of since. */
const IDLE = 'idle_bot'
const TOKEN = 'a-token-of-the-mirror-0123456789'

type Outage = {
  readonly folder: string
  /** Where answers are kept. */
  readonly keptIn: string
  /** Moves the wall clock of whoever starts, and what its monotonic clock counts. */
  pass(ms: number): void
  openManifest(): ManifestSource
  /** A process on the same store, whose registry is gone. */
  open(): Promise<Runtime>
}

/** A registry on a store, asked once by a process that keeps what it hears; then it is gone. */
async function leave(t: TestContext): Promise<Outage> {
  const folder = temporaryFolder()
  const keptIn = join(folder, 'registry')
  let passed = 0
  const base = {
    store: `sqlite:${join(folder, 'rubicon.db')}`,
    stateDirectory: join(folder, 'state'),
    capabilities: [refundCapability([])],
    report: () => {},
  }
  const first = await createRuntime(base)
  await first.deploy(buildRefundsContract())
  await first.deploy({ ...buildRefundsContract(), agent_id: IDLE })
  assert.equal(await refund(first), 'ACCEPTED')
  const { engine } = first
  const known: KnownPerson[] = [
    { name: 'mirror', roles: ['auditor'], token_hash: hashText(TOKEN, nodeCrypto.sha256) },
  ]
  const people = createPeople(() => known, nodeCrypto.sha256)
  const started = await startServer({ engine, people, host: '127.0.0.1', report: () => {} }, 0)
  assert.ok(started.ok)
  const { signer, tenant } = engine.context
  const publicKey = signer.publicKey('checkpoint')?.public_key ?? ''
  const { url } = started.value
  const openManifest = (): ManifestSource =>
    openHttpManifest({
      url,
      publicKey,
      tenant,
      token: TOKEN,
      keptIn,
      now: () => Date.now() + passed,
    })
  const asked = openManifest()
  await asked.entries(0, LIMITS.entriesPerPage)
  await asked.head()
  await started.value.close()
  await first.close()
  const open = async (): Promise<Runtime> => {
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + passed }
    const runtime = await createRuntime({ ...base, clock, manifest: openManifest() })
    t.after(() => runtime.close())
    return runtime
  }
  const pass = (ms: number): void => {
    passed += ms
  }
  return { folder, keptIn, pass, openManifest, open }
}

async function refund(runtime: Runtime): Promise<string> {
  const flow = await runtime.open({ agent: AGENT, trigger: 'a ticket' })
  const params = { order: flow.dfid, amount: '10.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params })
  return answer.reason_code ?? answer.outcome
}

test('a process that starts while its registry is away serves known agents for the rest of the time, and admits nobody new', async (t) => {
  const { open, pass } = await leave(t)
  pass(LIMITS.manifestTtlMs - 20_000)
  const runtime = await open()
  assert.equal(await refund(runtime), 'ACCEPTED')
  assert.equal(runtime.engine.status.degraded, true)
  const other = { ...buildRefundsContract(), agent_id: 'newcomer' }
  await assert.rejects(runtime.deploy(other), /registry/)
  await assert.rejects(runtime.open({ agent: 'newcomer', trigger: 'hello' }), /registry/)
  await assert.rejects(runtime.open({ agent: IDLE, trigger: 'hello' }), /registry/)
  assert.equal(await refund(runtime), 'ACCEPTED', 'whoever was refused has changed nothing')
  pass(20_001)
  await assert.rejects(refund(runtime), /registry/, 'the time goes on from the last answer')
})

test('what was kept for longer than its time starts nobody, nor does a clock that was set back', async (t) => {
  const { open, pass, openManifest } = await leave(t)
  pass(LIMITS.manifestTtlMs + 1)
  await assert.rejects(async () => refund(await open()), /registry/)
  pass(-2 * LIMITS.manifestTtlMs)
  assert.equal(await openManifest().loadKept?.(), null)
})

test('what is kept is believed only as the registry signed it, and whole', async (t) => {
  const { keptIn, openManifest } = await leave(t)
  const loadKept = async () => (await openManifest().loadKept?.()) ?? null
  assert.ok(await loadKept())
  const pages = readdirSync(keptIn).filter((name) => name.startsWith('page-'))
  const [page = ''] = pages
  const answered = join(keptIn, 'answered.json')
  const changes: readonly (readonly [string, (text: string) => string])[] = [
    [join(keptIn, page), (text) => text.replace('500.00', '900.00')],
    [join(keptIn, page), (text) => text.slice(0, -20)],
    [answered, (text) => text.replace(/"head":\d+/, '"head":0')],
    [answered, (text) => text.replace('"tenant":"default"', '"tenant":"acme"')],
    [answered, () => '{}'],
  ]
  for (const [file, change] of changes) {
    const text = readFileSync(file, 'utf8')
    assert.ok(change(text) !== text, `${file} ${change}`)
    writeFileSync(file, change(text))
    assert.equal(await loadKept(), null, `${file} ${change}`)
    writeFileSync(file, text)
    assert.ok(await loadKept())
  }
  rmSync(join(keptIn, page))
  assert.equal(await loadKept(), null, 'a part of it is nothing')
})
