import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { type Data, home, run, runJson } from '../cli.test-support.ts'
import { main } from '../main.ts'
import { createDevProject, startDev, startDevHere } from './dev.test-support.ts'

async function askSession({ url, token_file }: Data): Promise<number> {
  const token = readFileSync(token_file, 'utf8').trim()
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/v1/session`, { headers })).status
}

test('a change is deployed as a pre-release, and a broken file keeps the last good version in force', async (t) => {
  const { folder, edit } = await createDevProject()
  const dev = startDev(t, folder)
  const serving = await dev.next('serving')
  assert.equal(serving.token, null, 'the output is no terminal')
  assert.equal(serving.store, join(folder, '.rubicon/dev/rubicon.db'))
  const first = await dev.next('contract')
  assert.deepEqual([first.name, first.version], ['refunds_bot', '1.0.0-dev.1'])

  edit('contract.yaml', '"500.00"', '"300.00"')
  const second = await dev.next('contract')
  assert.equal(second.version, '1.0.0-dev.2')
  assert.deepEqual(second.changes, ['permissions.limits[most].max 500 → 300'])
  assert.match(readFileSync(join(folder, 'contract.yaml'), 'utf8'), /^version: 1\.0\.0 /m)

  edit('contract.yaml', 'max: "300.00"', 'mix: "300.00"')
  const broken = await dev.next('problem')
  assert.equal(broken.keeps, true)
  assert.deepEqual(
    broken.problems.map(({ file, line }: { file: string; line: number }) => [file, line]),
    [
      ['contract.yaml', 10],
      ['contract.yaml', 12],
    ],
  )
  edit('contract.yaml', 'mix: "300.00"', 'max: "300.00"')
  assert.equal((await dev.next('repaired')).file, 'contract.yaml')
  const at = ['--store', `sqlite:${serving.store}`, '--state', serving.state]
  const { data: agent } = await runJson(['agents', 'show', 'refunds_bot', ...at])
  assert.equal(agent.version, '1.0.0-dev.2')
  const { error } = (await runJson(['reset', '--yes', ...at])).data
  assert.equal(error.code, 'STORE_LOCKED')
  assert.match(error.fix, /terminal of `rubicon dev`, `r`/)
  const twice = (await runJson(['dev', folder, '--port', '0'])).data.error
  assert.equal(twice.summary, `this project is served already, at ${serving.url}`)

  writeFileSync(
    join(folder, 'policy.cedar'),
    'forbid(principal, action == Action::"REFUND", resource)\nwhen { context.params.amunt like "9*" };\n',
  )
  edit('rules.ts', 'PolicyForm[] = []', "PolicyForm[] = ['policy.cedar']")
  const unknown = await dev.next('problem')
  assert.deepEqual([unknown.problems[0].file, unknown.problems[0].line], ['policy.cedar', 2])
  assert.match(unknown.problems[0].detail, /amunt/)
  assert.equal(unknown.keeps, true)
  edit('policy.cedar', 'amunt', 'amount')
  assert.deepEqual((await dev.next('reloaded')).changes, ['policy `policy` added'])
  assert.equal(await askSession(serving), 200, 'the next process is where the one before was')

  assert.deepEqual(await dev.interrupt(), [0, null])
  assert.equal((await run(['verify', ...at])).exit, 0)
})

test('a project that is broken from the start is waited for, and a process that code ends is started again', async (t) => {
  const { folder, edit } = await createDevProject()
  edit('refund.ts', "kind: 'REFUND'", "kind:: 'REFUND'")
  const dev = startDevHere(t, folder)
  const broken = await dev.next('problem')
  assert.deepEqual([broken.problems[0].file, broken.problems[0].line], ['refund.ts', 5])
  assert.equal(broken.keeps, false)
  edit('refund.ts', "kind:: 'REFUND'", "kind: 'REFUND'")
  const serving = await dev.next('serving')
  await dev.next('contract')
  edit('refund.ts', 'pay an order back', 'pay it back')
  assert.deepEqual((await dev.next('reloaded')).changes, ['capability `REFUND` changed'])
  // Neither loaded by the rules nor a document: nothing happens.
  edit('start.ts', 'too much first', 'too much at first')
  const exit = (kind: string): string =>
    `process.on('message', ({ request }) => request.kind === '${kind}' && process.exit(7))\n`
  edit('rules.ts', 'export', `${exit('serve')}export`)
  assert.match((await dev.next('warning')).text, /has ended \(exit code 7\)/)
  assert.equal(await askSession(serving), 200, 'the one before serves again')
  edit('rules.ts', exit('serve'), exit('deploy'))
  await dev.next('reloaded')
  edit('contract.yaml', '"500.00"', '"400.00"')
  assert.match((await dev.next('warning')).text, /has ended \(exit code 7\)/)
  edit('rules.ts', exit('deploy'), '')
  await dev.next('serving')
  assert.deepEqual(await dev.interrupt(), [0, null])
})

test('keys at a terminal: the browser is opened, r asks once and deletes, q ends', async () => {
  const { folder } = await createDevProject()
  const opened = join(folder, '..', 'opened.txt')
  const browser = join(folder, '..', 'browser.sh')
  writeFileSync(browser, `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 })
  let said = ''
  let isRaw = false
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (wanted: boolean) => {
      isRaw = wanted
    },
  })
  const sink = { write: (text: string) => (said += text), isTTY: true }
  const streams = { stdout: sink, stderr: sink, stdin, env: { BROWSER: browser, NO_COLOR: '1' } }
  const ended = main(['dev', folder, '--port', '0'], streams)
  const waitFor = async (isThere: () => boolean): Promise<void> => {
    for (let waited = 0; !isThere(); waited += 50) {
      assert.ok(waited < 120_000, said)
      await new Promise((done) => setTimeout(done, 50))
    }
  }
  await waitFor(() => said.includes('refunds_bot 1.0.0-dev.1 deployed') && existsSync(opened))
  assert.equal(isRaw, true)
  const page = join(folder, '.rubicon/dev/state/open.html')
  assert.match(readFileSync(opened, 'utf8'), /^file:.*open\.html\n$/)
  assert.match(said, / {2}inbox {4}http:\/\/127\.0\.0\.1:\d+\/inbox\n {2}token {4}rbo_/)
  const [token = ''] = /rbo_[\w-]+/.exec(said) ?? []
  assert.ok(readFileSync(page, 'utf8').includes(`#token=${token}`), 'the token is in no argument')
  stdin.write('r')
  stdin.write('x')
  await waitFor(() => said.includes('nothing was deleted'))
  stdin.write('rr')
  await waitFor(() => said.split('refunds_bot 1.0.0-dev.1 deployed').length === 3)
  stdin.write('?q')
  assert.equal(await ended, 0)
  assert.equal(isRaw, false)
})

test('one that is stopped while it starts ends, and leaves no process behind', async (t) => {
  const { folder } = await createDevProject()
  const dev = startDev(t, folder)
  while (!existsSync(join(folder, '.rubicon/dev/state/developer.token')))
    await new Promise((done) => setTimeout(done, 20))
  assert.deepEqual(await dev.interrupt(), [0, null])
})

test('a store that somebody else made is refused, and stays as it is', async () => {
  const { folder } = await createDevProject()
  const { at } = home()
  await run(['contract', 'deploy', join(folder, 'contract.yaml'), ...at])
  const { exit, data } = await runJson(['dev', folder, '--port', '0', ...at])
  assert.deepEqual([exit, data.error.code], [2, 'STORE_NOT_DEV'])
  assert.equal((await run(['verify', ...at])).exit, 0)
  const missing = await runJson(['dev', join(folder, 'nowhere')])
  assert.equal(missing.data.error.code, 'FOLDER_MISSING')
})
