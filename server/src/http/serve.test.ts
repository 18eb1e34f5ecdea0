import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import { buildRefundsContract, refundCapability } from '../demo/refunds.ts'
import { ask } from './agent-auth/client.ts'
import { serve } from './serve.ts'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-serve-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function runtimeIn(folder: string): Promise<Runtime> {
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'store.db')}`,
    stateDirectory: folder,
    capabilities: [refundCapability([])],
  })
  await runtime.deploy(buildRefundsContract())
  return runtime
}

test('a runtime serves itself: its token is made once, and its flows are there', async (t) => {
  const folder = folderOf(t)
  const runtime = await runtimeIn(folder)
  const { url, link, token, name } = await serve(runtime, { port: 0 })
  assert.ok(token !== null)
  assert.match(token, /^rbo_/)
  assert.deepEqual([name, link], ['operator', `${url}/#token=${token}`])
  assert.ok(!readFileSync(join(folder, 'people.json'), 'utf8').includes(token))
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 4711' })
  const { body } = await ask({ url, token }, 'GET', '/v1/flows')
  assert.equal(body.flows[0].dfid, flow.dfid)
  await runtime.close()
  await assert.rejects(ask({ url }, 'GET', '/healthz'), 'it ends with the runtime')

  const again = await runtimeIn(folder)
  const second = await serve(again, { port: 0 })
  assert.deepEqual([second.token, second.link], [null, second.url])
  assert.equal((await ask({ url: second.url, token }, 'GET', '/v1/flows')).status, 200)
  await second.close()
  await again.close()
})

test('what cannot be meant is refused, and nothing listens', async (t) => {
  const runtime = await runtimeIn(folderOf(t))
  const refusals = [
    [{ port: 65_536 }, 'PORT_INVALID'],
    [{ port: 1.5 }, 'PORT_INVALID'],
    [{ port: 0, host: '0.0.0.0' }, 'HOST_INSECURE'],
    [{ port: 0, person: { name: 'a b' } }, 'PERSON_NAME'],
    [{ port: 0, person: { token: 'short' } }, 'TOKEN_SHORT'],
  ] as const
  for (const [options, wanted] of refusals)
    await assert.rejects(serve(runtime, options), { code: wanted })
  await runtime.close()
})

test('a port that is taken is named', async (t) => {
  const runtime = await runtimeIn(folderOf(t))
  const { url } = await serve(runtime, { port: 0 })
  const port = Number(new URL(url).port)
  await assert.rejects(serve(runtime, { port }), /is taken/)
  await runtime.close()
})

test('a start that finds its port taken makes no token, so that the next one shows it', async (t) => {
  const [other, runtime] = [await runtimeIn(folderOf(t)), await runtimeIn(folderOf(t))]
  const { url } = await serve(other, { port: 0 })
  const busy = serve(runtime, { port: Number(new URL(url).port) })
  await assert.rejects(busy, { code: 'PORT_BUSY' })
  const { token } = await serve(runtime, { port: 0 })
  assert.match(token ?? '', /^rbo_/)
  await Promise.all([runtime.close(), other.close()])
})
