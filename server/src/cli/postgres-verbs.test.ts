/** The verbs on a store in Postgres: beside a runtime that works on it, and after it ended. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, it } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
  getServer,
} from '../../../runtime/src/adapters/postgres/testing.ts'
import { exampleRuntime } from '../../../runtime/src/evidence/example.test-support.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { type Data, run, runJson } from './cli.test-support.ts'
import { pipeInto, rowsOf } from './shell/shell.test-support.ts'
import { startUp } from './up.test-support.ts'

type Place = { readonly address: string; readonly at: readonly string[] }

async function place(): Promise<Place> {
  const address = (await createEmptyDatabase()).replace('rubicon@', 'rubicon:secret@')
  return { address, at: ['--store', address, '--state', temporaryFolder()] }
}

async function decided({ address, at }: Place): ReturnType<typeof exampleRuntime> {
  const example = await exampleRuntime({ store: address, stateDirectory: at[3] ?? '' })
  for (const amount of ['20.00', '900.00', '30.00']) await example.refund(amount)
  return example
}

/** Before the server goes, also when a test fails. */
const closing: (() => Promise<void>)[] = []

describeWithServer('verbs on Postgres', () => {
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  it('read a store that others work on, and change what they may', async () => {
    const here = await place()
    const example = await decided(here)
    closing.push(example.close)
    const { at } = here
    const listed = await runJson(['flows', 'list', ...at])
    assert.equal(listed.data.flows.length, 3)
    const { dfid } = listed.data.flows[0]
    for (const verb of [
      ['flows', 'show', dfid],
      ['executions', 'list'],
      ['ledger', 'show'],
      ['agents', 'list'],
      ['keys'],
      ['doctor'],
      // Nobody has to stop for these.
      ['agents', 'suspend', 'refunds_bot', '--reason', 'test', '--yes'],
    ]) {
      const { exit, stdout, stderr } = await run([...verb, ...at])
      assert.equal(exit, 0, `${verb.join(' ')}: ${stdout}${stderr}`)
    }
    const refused = await example.refund('40.00').catch((error: unknown) => String(error))
    assert.match(JSON.stringify(refused), /suspended/)
  })

  it('move payloads into an archive and back, beside a runtime that goes on', async () => {
    const here = await place()
    const example = await decided(here)
    closing.push(example.close)
    const { at } = here
    const file = join(at[3] ?? '', 'old.ndjson')
    const create = ['archive', 'create', file, '--before', '2999-01-01', '--apply', ...at]
    const { exit, data } = await runJson(create)
    assert.deepEqual([exit, data.flows], [0, 2], JSON.stringify(data))
    assert.equal((await example.refund('50.00')).outcome, 'ACCEPTED')
    await example.runtime.engine.checkpoint()
    const bare = await runJson(['verify', ...at])
    assert.deepEqual([bare.exit, bare.data.findings[0].code], [4, 'ARCHIVE_MISSING'])
    const whole = await runJson(['verify', '--archive', file, ...at])
    assert.deepEqual([whole.exit, whole.data.ok, whole.data.depth], [0, true, 'fold'])
    const restored = await runJson(['archive', 'restore', file, '--apply', ...at])
    assert.deepEqual([restored.exit, restored.data.payloads], [0, data.payloads])
    assert.equal((await runJson(['verify', ...at])).data.ok, true)
    assert.equal((await example.refund('60.00')).outcome, 'ACCEPTED')
  })

  it('prove what was done, from the store alone', async () => {
    const here = await place()
    const example = await decided(here)
    await example.close()
    const { address, at } = here
    const verified = await runJson(['verify', address, ...at.slice(2)])
    assert.deepEqual([verified.exit, verified.data.ok, verified.data.findings], [0, true, []])
    assert.equal(verified.data.checkpoint.size, verified.data.entries)
    const replayed = await runJson(['replay', 'main', '--full', ...at])
    assert.deepEqual([replayed.exit, replayed.data.ok], [0, true])
    const file = join(at[3] ?? '', 'ledger.ndjson')
    assert.equal((await run(['ledger', 'export', file, ...at])).exit, 0)
    const exported = await runJson(['verify', file])
    assert.deepEqual([exported.exit, exported.data.entries], [0, verified.data.entries])
    const branched = await run(['branch', 'main', '--at', '2', '--name', 'what-if', ...at])
    assert.equal(branched.exit, 0, branched.stderr)
  })

  it('decide in one process, and carry out in another', async (t) => {
    const { at } = await place()
    const state = at[3] ?? ''
    const rules = join(state, 'rules.mjs')
    const source = new URL('../demo/company/company.ts', import.meta.url).href
    const lines = [`import { createCompany } from '${source}'`]
    writeFileSync(
      rules,
      [
        ...lines,
        'export const { capabilities, policies, topics, topologies } = createCompany()',
      ].join('\n'),
    )
    const executing = await startUp(t, ['--role', 'executor', '--rules', rules, ...at])
    const deciding = await startUp(t, ['--demo', '--role', 'engine', ...at])
    const here = { url: deciding.said.url, token: executing.token, state }
    const heard = async (what: string): Promise<Data> => {
      const told = [`tail ${what} --after 0 --count 1`]
      const { stdout } = await pipeInto(here, told, ['--json'])
      return rowsOf(stdout)[0].data
    }
    const { dfid, leaf } = await heard('kind=dispatch')
    const accepted = await heard(`kind=accepted dfid=${dfid}`)
    assert.ok(accepted.leaf < leaf, 'in a unit of its own')
    assert.ok((await heard(`kind=commit dfid=${dfid}`)).leaf > leaf)
    await deciding.stop()
    await executing.stop()
  })

  it('make nothing where a store is expected, and never show the password', async () => {
    const { address, at } = await place()
    for (const verb of [
      ['flows', 'list'],
      ['agents', 'suspend', 'refunds_bot', '--reason', 'test', '--yes'],
      ['verify', address],
      ['ledger', 'show'],
    ]) {
      const { exit, stdout, stderr } = await run([...verb, ...at])
      assert.equal(exit, 2, `${verb.join(' ')}: ${stdout}${stderr}`)
      assert.match(stderr, /does not exist/)
      assert.equal(`${stdout}${stderr}`.includes('secret'), false)
    }
    const doctor = await run(['doctor', ...at])
    assert.match(doctor.stdout, /is not there yet/)
    assert.equal(doctor.stdout.includes('secret'), false)
    const name = address.slice(address.lastIndexOf('/') + 1)
    const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"
    assert.deepEqual(await (await getServer()).query(name, tables), [])
  })
})
