import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** What a process prints that waits for nothing but this timer. */
function waitFor(call: string): string {
  const module = JSON.stringify(new URL('./clock.ts', import.meta.url).href)
  const script = `const { systemClock } = await import(${module}); await ${call}.elapsed; console.log('over')`
  const args = ['--input-type=module', '--eval', script]
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
}

test('a process does not end before what it waits for', () => {
  assert.equal(waitFor('systemClock.after(20)'), 'over\n')
})

test('a wake-up that nobody waits for keeps no process alive', () => {
  assert.equal(waitFor('systemClock.after(60_000, true)'), '')
})
