/** `rubicon up` on Postgres, where the tenants of a server share a database. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { ask } from '../http/agent-auth/client.ts'
import { startUpHere } from './up.test-support.ts'

describeWithServer('up on Postgres', () => {
  it('keeps the tenants of one database apart', async (t: TestContext) => {
    const at = ['--store', await createEmptyDatabase(), '--state', temporaryFolder()]
    const up = await startUpHere(t, ['--demo', '--tenants', 'acme,globex', ...at])
    const {
      token,
      said: { url },
    } = up
    const acme = await ask({ url, token, tenant: 'acme' }, 'GET', '/v1/flows')
    const [flow] = acme.body.flows
    assert.ok(acme.body.flows.length >= 4)
    const globex = { url, token, tenant: 'globex' }
    assert.deepEqual((await ask(globex, 'GET', '/v1/flows')).body.flows, [])
    assert.equal((await ask(globex, 'GET', `/v1/flows/${flow.dfid}`)).status, 404)
    assert.equal((await ask(globex, 'GET', '/readyz')).status, 200)
    const fact = { body: { path: 'price', value: 1 } }
    assert.equal((await ask(globex, 'POST', '/v1/observations', fact)).status, 200)
    assert.deepEqual(await up.stop(), [0, null])
  })

  it('says where it is though nobody carries out what it decides', async (t: TestContext) => {
    const at = ['--store', await createEmptyDatabase(), '--state', temporaryFolder()]
    const up = await startUpHere(t, ['--demo', '--role', 'engine', ...at])
    const {
      token,
      said: { url },
    } = up
    const { body } = await ask({ url, token }, 'GET', '/v1/executions')
    const statuses = body.executions.map(({ status }: { status: string }) => status)
    assert.deepEqual([...new Set(statuses)], ['ACCEPTED'])
    assert.deepEqual(await up.stop(), [0, null])
  })
})
