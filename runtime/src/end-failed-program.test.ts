/** How a program ends that somebody started by hand. */
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { test } from 'node:test'

const MODULES = ['end-failed-program', 'rubicon-error', 'ports/store'].map((name) =>
  JSON.stringify(import.meta.resolve(`./${name}.ts`)),
)

function runProgram(body: string): SpawnSyncReturns<string> {
  const [end, refusal, store] = MODULES
  const program = `
    import { endFailedProgram } from ${end}
    import { RubiconError } from ${refusal}
    import { StoreError } from ${store}
    process.once('uncaughtException', endFailedProgram)
    await Promise.resolve()
    ${body}`
  const args = ['--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

test('what the library refused is shown with why and fix, and without a stack', () => {
  const failure = { code: 'X', summary: 'it cannot be', why: 'it is', fix: 'leave it' }
  const refused = runProgram(`throw new RubiconError(${JSON.stringify(failure)})`)
  assert.equal(refused.status, 1)
  assert.equal(refused.stderr, '✖ X: it cannot be\n  why  it is\n  fix  leave it\n')
  const store = runProgram(`throw new StoreError('STORE_LOCKED', 'it is in use', 'wait')`)
  assert.equal(store.status, 1)
  assert.equal(store.stderr, '✖ STORE_LOCKED: it is in use\n  fix  wait\n')
})

test('a bug is shown with its stack', () => {
  const { status, stderr } = runProgram(`throw new TypeError('mine')`)
  assert.equal(status, 1)
  assert.match(stderr, /TypeError: mine\n +at /)
})
