/** Several questions to a registry elsewhere at the same time, and answers in another order than they were asked. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashText, LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime, openHttpManifest, type Runtime } from '../../../../runtime/src/compose.ts'
import type { ManifestSource } from '../../../../runtime/src/ports/manifest-source.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import { startServer } from '../server.ts'

const TOKEN = 'a-token-of-the-mirror-0123456789'

type Registry = {
  readonly runtime: Runtime
  readonly manifest: ManifestSource
  /** The next answer waits on its way; resolves with what lets it go on, once the registry has given it. */
  delayNext(): Promise<() => void>
}

/** A registry, and a line to it on which an answer can be delayed. */
async function openRegistry(t: TestContext, keptIn: string): Promise<Registry> {
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [refundCapability([])],
    report: () => {},
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const { engine } = runtime
  const known: KnownPerson[] = [
    { name: 'mirror', roles: ['auditor'], token_hash: hashText(TOKEN, nodeCrypto.sha256) },
  ]
  const people = createPeople(() => known, nodeCrypto.sha256)
  const started = await startServer({ engine, people, host: '127.0.0.1', report: () => {} }, 0)
  assert.ok(started.ok)
  t.after(() => started.value.close())
  let hold: (() => Promise<void>) | null = null
  const line = createServer(async (request, reply) => {
    const held = hold
    hold = null
    const { authorization = '' } = request.headers
    const answer = await fetch(`${started.value.url}${request.url}`, { headers: { authorization } })
    const text = await answer.text()
    await held?.()
    const type = answer.headers.get('content-type') ?? ''
    reply.writeHead(answer.status, { 'content-type': type }).end(text)
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    line.closeAllConnections()
    line.close()
  })
  const { port } = line.address() as AddressInfo
  const { signer, tenant } = engine.context
  const publicKey = signer.publicKey('checkpoint')?.public_key ?? ''
  const url = `http://127.0.0.1:${port}`
  const delayNext = (): Promise<() => void> =>
    new Promise((given) => {
      hold = () => new Promise<void>((go) => given(go))
    })
  const manifest = openHttpManifest({ url, publicKey, tenant, token: TOKEN, keptIn })
  return { runtime, manifest, delayNext }
}

test('an honest registry is not taken for one that forgets where one answer overtakes another', async (t) => {
  const keptIn = join(temporaryFolder(), 'registry')
  const { runtime, manifest, delayNext } = await openRegistry(t, keptIn)
  await manifest.entries(0, LIMITS.entriesPerPage)
  const first = await manifest.head()
  const given = delayNext()
  const slow = manifest.head()
  const go = await given
  await runtime.deploy({ ...buildRefundsContract(), agent_id: 'another_bot' })
  const later = await manifest.head()
  assert.ok(later > first)
  go()
  // What is known by then, whichever answer it stood in.
  assert.equal(await slow, later)
})

test('an answer that was overtaken does not take away what was kept of the later one', async (t) => {
  const keptIn = join(temporaryFolder(), 'registry')
  const { runtime, manifest, delayNext } = await openRegistry(t, keptIn)
  await manifest.entries(0, LIMITS.entriesPerPage)
  const given = delayNext()
  // Whoever begins anew reads everything, and what is kept is written anew with it.
  const slow = manifest.entries(0, 1)
  const go = await given
  await runtime.deploy({ ...buildRefundsContract(), agent_id: 'another_bot' })
  const head = await manifest.head()
  go()
  await slow
  const kept = (await manifest.loadKept?.()) ?? null
  assert.equal(kept?.entries.length, head + 1)
})
