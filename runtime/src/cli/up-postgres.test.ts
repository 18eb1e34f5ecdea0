/** `rubicon up` on Postgres, where the tenants of a server share a database. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { describeWithServer, emptyAddress } from '../adapters/postgres/testing.ts'
import { ask } from '../server/client.ts'
import { startUp } from './up.test-support.ts'

describeWithServer('up on Postgres', () => {
  it('keeps the tenants of one database apart', async (t: TestContext) => {
    const state = mkdtempSync(join(tmpdir(), 'rubicon-state-'))
    const at = ['--store', await emptyAddress(), '--state', state]
    const up = await startUp(t, ['--demo', '--tenants', 'acme,globex', ...at])
    const { url, token } = up.said
    const acme = await ask({ url, token, tenant: 'acme' }, 'GET', '/v1/flows')
    const [flow] = acme.body.flows
    assert.ok(acme.body.flows.length >= 4)
    const globex = { url, token, tenant: 'globex' }
    assert.deepEqual((await ask(globex, 'GET', '/v1/flows')).body.flows, [])
    assert.equal((await ask(globex, 'GET', `/v1/flows/${flow.dfid}`)).status, 404)
    assert.equal((await ask(globex, 'GET', '/readyz')).status, 200)
    const fact = { body: { path: 'price', value: 1, source: 's' } }
    assert.equal((await ask(globex, 'POST', '/v1/observations', fact)).status, 200)
    assert.deepEqual(await up.stop(), [0, null])
  })
})
