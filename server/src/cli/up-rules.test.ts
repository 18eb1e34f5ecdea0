/** Other rules at the start of a server: who has to agree, and for how long a yes counts. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ask } from '../http/agent-auth/client.ts'
import { home, run } from './cli.test-support.ts'
import { startUpHere } from './up.test-support.ts'
import { createAgreeCommand } from './up-rules.ts'

const MODULE = `
export const capabilities = [{
  kind: 'REFUND', effect: 'unsafe', risk: 'medium', reversible: true, params: { type: 'object' },
  execute: () => ({ result: 'done' }),
}]
export const policies = ['ops.cedar']
`

/** A module with one policy, in a folder of its own. */
function rulesIn(folder: string, name: string, amount: string): readonly string[] {
  mkdirSync(join(folder, name))
  const text = `forbid(principal, action, resource) when { context.measures.amount like "${amount}" };`
  writeFileSync(join(folder, name, 'ops.cedar'), text)
  writeFileSync(join(folder, name, 'rules.mjs'), MODULE)
  return ['--rules', join(folder, name, 'rules.mjs')]
}

type Started = { readonly ready: number; readonly acceptance: string | undefined }

/** Started, asked and stopped again. */
async function startOnce(t: TestContext, argv: readonly string[]): Promise<Started> {
  const { said, noted, stop } = await startUpHere(t, argv)
  const { status } = await ask({ url: said.url }, 'GET', '/readyz')
  assert.deepEqual(await stop(), [0, null])
  const text = noted.join(' ')
  const [, acceptance] = text.match(/--accept-rules (sha256:[0-9a-f]{64})/) ?? []
  if (acceptance !== undefined)
    assert.ok(text.includes(`${argv.join(' ')} --accept-rules`) || argv.includes('--accept-rules'))
  return { ready: status, acceptance }
}

test('up does not decide by other rules without a yes, and takes a yes once', async (t) => {
  const { at, folder } = home()
  const [strict, lenient] = [rulesIn(folder, 'strict', '9*'), rulesIn(folder, 'lenient', '99*')]
  assert.deepEqual(await startOnce(t, [...strict, ...at]), { ready: 200, acceptance: undefined })

  const asked = await startOnce(t, [...lenient, ...at])
  assert.equal(asked.ready, 503, 'they are not in force')
  const { acceptance = '' } = asked
  const yes = ['--accept-rules', acceptance]
  const differing = await run(['rules', ...lenient, ...at])
  assert.equal(differing.exit, 4, 'a difference is a finding')
  assert.match(
    differing.stdout,
    new RegExp(`rubicon up ${lenient.join(' ')} --accept-rules sha256:`),
  )
  assert.equal((await startOnce(t, [...lenient, ...yes, ...at])).ready, 200)
  assert.equal((await startOnce(t, [...lenient, ...yes, ...at])).ready, 200, 'a restart')

  const back = await startOnce(t, [...strict, ...at])
  assert.equal(back.ready, 503)
  const backYes = ['--accept-rules', back.acceptance ?? '']
  assert.equal((await startOnce(t, [...strict, ...backYes, ...at])).ready, 200, 'rolled back')
  const again = await startOnce(t, [...lenient, ...yes, ...at])
  assert.equal(again.ready, 503, 'the yes was for the change before')
  assert.notEqual(again.acceptance, acceptance)
  assert.equal((await run(['verify', ...at])).exit, 0)
})

test('no command is printed with the password of its store, or with an old yes', () => {
  const hash = `sha256:${'0'.repeat(64)}`
  const store = 'postgres://rubicon:s3cr:t@db.example.com/rubicon?password=s3cret'
  const typed = ['up', '--rules', "my rules's.ts", '--store', store, '--accept-rules', 'sha256:1']
  assert.equal(
    createAgreeCommand([...typed, `--store=${store}`, '--accept-rules=sha256:2'])(hash),
    `rubicon up --rules 'my rules'\\''s.ts' --store postgres://rubicon@db.example.com/rubicon --store=postgres://rubicon@db.example.com/rubicon --accept-rules ${hash}`,
  )
})

test('up takes no yes to whatever comes', async () => {
  const { at, folder } = home()
  const argv = ['up', ...rulesIn(folder, 'rules', '9*'), '--port', '0', ...at]
  const { exit, stderr } = await run([...argv, '--accept-rules', 'any-in-development'])
  assert.equal(exit, 2)
  assert.match(stderr, /`any-in-development` is not the hash of a change of rules/)
})
