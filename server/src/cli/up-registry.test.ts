/** A process of `rubicon up` that reads authority from another one, and what the doctor says of that. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext, test } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { ask } from '../http/agent-auth/client.ts'
import { home, runJson } from './cli.test-support.ts'
import { parseRegistryOptions } from './registry-option.ts'
import { startUpHere, writeRules } from './up.test-support.ts'

type Line = { readonly name: string; readonly status: string; readonly detail: string }

const KEY = Buffer.alloc(32).toString('base64')

test('a registry needs a shared store, one tenant, a key and a token, before anything is opened', async () => {
  const { folder, at } = home()
  const file = join(folder, 'token')
  writeFileSync(file, 'a-token-of-the-mirror-0123456789\n')
  const up = async (...more: readonly string[]): Promise<string> => {
    const rules = writeRules(folder)
    const { data } = await runJson(['up', '--port', '0', ...rules, ...more])
    return data.error.summary
  }
  const url = ['--registry', 'https://registry.example']
  const whole = [...url, '--registry-key', KEY, '--registry-token-file', file]
  const shared = ['--store', 'postgres://nobody@127.0.0.1:1/none', '--state', folder]
  assert.match(await up(...shared, ...url), /--registry-key/)
  assert.match(await up(...shared, ...url, '--registry-key', KEY), /--registry-token-file/)
  assert.match(await up(...at, ...whole), /shares/)
  assert.match(await up(...shared, ...whole, '--tenants', 'acme,globex'), /one tenant/)
  const short = [...url, '--registry-key', 'AAAA', '--registry-token-file', file]
  assert.match(await up(...shared, ...short), /32 bytes/)
})

test('what one tenant is told by its registry is not kept over what another one is told', () => {
  const words: Readonly<Record<string, string>> = {
    registry: 'https://registry.example',
    registryKey: KEY,
  }
  const findKept = (tenant: string): string | undefined => {
    const options = { text: (name: string) => words[name] }
    const place = { store: 'postgres://nobody@127.0.0.1:1/none', state: 'state', tenant: 'default' }
    const streams = { env: { RUBICON_REGISTRY_TOKEN: 'a-token-of-the-mirror-0123456789' } }
    const found = parseRegistryOptions({ options, place, streams }, tenant)
    assert.equal(found?.tenant, tenant)
    return found?.keptIn
  }
  assert.notEqual(findKept('acme'), findKept('globex'))
})

describeWithServer('a registry at another process', () => {
  it('is read, is missed, and the doctor says which', async (t: TestContext) => {
    const folder = temporaryFolder()
    const at = ['--store', await createEmptyDatabase(), '--state', folder, ...writeRules(folder)]
    const place = at.slice(0, 4)
    const first = await startUpHere(t, at)
    const keys = (await runJson(['keys', 'list', ...place])).data.keys
    const found = keys.find(({ purpose }: { purpose: string }) => purpose === 'checkpoint')
    const file = join(folder, 'token')
    writeFileSync(file, first.token)
    const { url } = first.said
    const registry = [
      ...['--registry', url, '--registry-key', found.public_key],
      ...['--registry-token-file', file],
    ]
    const examine = async (): Promise<readonly Line[]> => {
      const { data } = await runJson(['doctor', ...place, ...registry])
      return data.checks.filter(({ name }: Line) => name.startsWith('registry'))
    }
    assert.deepEqual(
      (await examine()).map(({ status, detail }) => [status, detail]),
      [
        ['ok', `${url} answers`],
        ['ok', 'nothing is kept yet'],
      ],
    )
    const second = await startUpHere(t, [...at, ...registry])
    const ready = async () => ask({ url: second.said.url, token: first.token }, 'GET', '/readyz')
    assert.equal((await ready()).status, 200)
    assert.match((await examine())[1]?.detail ?? '', /^\d+ entries, answered \d+ s ago$/)
    assert.deepEqual(await first.stop(), [0, null])
    const [away, kept] = await examine()
    assert.equal(away?.status, 'failure')
    assert.match(away?.detail ?? '', /does not answer/)
    assert.equal(kept?.status, 'warning')
    assert.match(kept?.detail ?? '', /degraded mode, known agents are served for another \d+ s/)
    assert.deepEqual(await second.stop(), [0, null])
  })
})
