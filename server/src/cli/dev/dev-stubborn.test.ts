/** Projects whose code does not come to an end, whose files say the same twice, and whose store cannot be deleted. */
import assert from 'node:assert/strict'
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEFAULT_HOST } from '../../http/serve.ts'
import { createDevProject, startDev, startDevHere } from './dev.test-support.ts'
import { getDevPlace, prepareDevPlace } from './dev-place.ts'
import { type DevEvent, DevSession } from './dev-session.ts'

const ENDLESS = "console.log('it loads')\nawait new Promise(() => {})\nexport"

test('N4: rules whose loading does not end hold up neither the next change nor the end', async (t) => {
  const { folder, edit } = await createDevProject()
  const dev = startDev(t, folder)
  await dev.next('contract')
  const isLoading = async (times: number): Promise<void> => {
    while (dev.noted.filter((line) => line === 'it loads').length < times)
      await new Promise((done) => setTimeout(done, 20))
  }
  edit('rules.ts', 'export', ENDLESS)
  await isLoading(1)
  edit('contract.yaml', '"500.00"', '"300.00"')
  await isLoading(2)
  edit('rules.ts', ENDLESS, 'export')
  assert.deepEqual((await dev.next('reloaded')).changes, [])
  edit('rules.ts', 'export', ENDLESS)
  await isLoading(3)
  assert.deepEqual(await dev.interrupt(), [0, null])
})

test('of two files with one name the first counts, and it is said what stays in force', async (t) => {
  const { folder } = await createDevProject()
  const file = join(folder, 'contract.yaml')
  const text = readFileSync(file, 'utf8')
  const dev = startDevHere(t, folder)
  await dev.next('contract')
  writeFileSync(join(folder, 'contract copy.yaml'), text.replace('"500.00"', '"900.00"'))
  const twice = await dev.next('problem')
  assert.equal(twice.problems[0].file, 'contract copy.yaml')
  assert.match(twice.problems[0].detail, /`refunds_bot` has its contract in contract\.yaml/)
  writeFileSync(file, '')
  assert.equal((await dev.next('problem')).keeps, true, 'it says nothing, and what it said stays')
  rmSync(file)
  assert.match((await dev.next('warning')).text, /contract\.yaml is gone/)
  assert.equal((await dev.next('contract')).file, 'contract copy.yaml')
  const other = text.replace(/^agent_id: .*$/m, 'agent_id: other_bot')
  writeFileSync(join(folder, 'contract copy.yaml'), other)
  assert.match((await dev.next('warning')).text, /no contract refunds_bot any more; it stays/)
  assert.equal((await dev.next('contract')).name, 'other_bot')
  assert.deepEqual(await dev.interrupt(), [0, null])
})

test('a store that cannot be deleted is served again', async (t) => {
  const { folder } = await createDevProject()
  const place = { folder, tenant: 'default', namedRules: null, ...getDevPlace(folder) }
  prepareDevPlace(place)
  const events: DevEvent[] = []
  const token = 'rbo_a-token-that-a-developer-has-in-this-test'
  const session = new DevSession(place, { host: DEFAULT_HOST, port: 0, token }, (event) =>
    events.push(event),
  )
  t.after(() => session.end())
  await session.start()
  rmSync(join(place.state, 'disposable.json'))
  copyFileSync(join(folder, 'contract.yaml'), join(place.state, 'mine.yaml'))
  await session.reset()
  assert.ok(events.some((one) => one.kind === 'warning' && /was not made by/.test(one.text)))
  assert.equal((await fetch(`${session.url}/healthz`)).status, 200)
})

test('a project that is moved away ends nothing, and is served again where it comes back', async (t) => {
  const { folder, edit } = await createDevProject()
  const dev = startDevHere(t, folder)
  await dev.next('contract')
  renameSync(folder, `${folder}-away`)
  await dev.next('warning')
  assert.match((await dev.next('warning')).text, /has ended \(.*ENOENT/)
  renameSync(`${folder}-away`, folder)
  edit('contract.yaml', '"500.00"', '"300.00"')
  assert.equal((await dev.next('contract')).version, '1.0.0-dev.2')
  assert.deepEqual(await dev.interrupt(), [0, null])
})

test('a reset that was interrupted is finished by the next start', async (t) => {
  const { folder } = await createDevProject()
  const before = startDevHere(t, folder)
  const { store } = await before.next('serving')
  await before.next('contract')
  assert.deepEqual(await before.interrupt(), [0, null])
  for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true })
  const after = startDevHere(t, folder)
  assert.equal((await after.next('contract')).version, '1.0.0-dev.1')
  assert.deepEqual(await after.interrupt(), [0, null])
})
