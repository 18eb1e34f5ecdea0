import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askRefused, askWell, listChildren } from './desk.test-support.ts'
import { createDirectDesk } from './direct-desk.ts'
import { openDesk } from './open-desk.ts'
import { SLOW } from './slow-request.test-support.ts'

const SMALL = { ask: 'symbols', text: { artifact: 'a.ts', text: 'export const a = 1\n' } } as const
const DEEP = {
  ask: 'symbols',
  text: { artifact: 'deep.ts', text: `${'class{a='.repeat(10_000)}1${'}'.repeat(10_000)}` },
} as const

async function waitUntil(isSo: () => boolean, what: string): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    if (isSo()) return
    await sleep(50)
  }
  assert.fail(what)
}

test('a text that ends the parser is refused, and the next request is answered', async () => {
  const desk = openDesk()
  process.env.DESK_TEST_SECRET = 'hush'
  try {
    const [first, deep, next] = await Promise.all([
      desk.ask(SMALL),
      desk.ask(DEEP),
      desk.ask(SMALL),
    ])
    assert.ok(first.ok)
    assert.ok(!deep.ok)
    assert.deepEqual([deep.error.code, deep.error.artifact], ['ARTIFACT_UNREADABLE', 'deep.ts'])
    assert.deepEqual(next, first)
    assert.deepEqual(first.value, await askWell(createDirectDesk(), SMALL))
    // One that ended while nobody waited for it is not missed.
    const [idle = assert.fail()] = listChildren(process.pid)
    const environment = readFileSync(`/proc/${idle}/environ`, 'utf8')
    assert.ok(!environment.includes('hush'), 'what its parent knows is not handed on')
    process.kill(idle, 'SIGKILL')
    assert.deepEqual(await desk.ask(SMALL), first)
  } finally {
    delete process.env.DESK_TEST_SECRET
    await desk.close()
  }
  assert.deepEqual(listChildren(process.pid), [])
  assert.equal((await askRefused(desk, SMALL)).code, 'DESK_CLOSED')
})

test('what takes too long is ended, what is too much is refused, and nothing is left behind', async () => {
  const desk = openDesk({ deadlineMs: 2_000, waiting: 2 })
  try {
    const [slow, next, refused, over] = await Promise.all([
      desk.ask(SLOW),
      desk.ask(SMALL),
      desk.ask({ ...SMALL, depth: -1 }),
      desk.ask(SMALL),
    ])
    assert.ok(!slow.ok && !over.ok && !refused.ok)
    assert.deepEqual([slow.error.code, over.error.code], ['DESK_TIMEOUT', 'DESK_BUSY'])
    assert.ok(next.ok)
    assert.deepEqual(refused.error.code, 'REQUEST_INVALID')
    assert.match(refused.error.detail, /\/depth/u)
  } finally {
    const open = desk.ask(SLOW)
    await desk.close()
    assert.deepEqual(await open, {
      ok: false,
      error: { code: 'DESK_CLOSED', detail: 'the desk is closed' },
    })
  }
  const left = listChildren(process.pid)
  for (const pid of left) process.kill(pid, 'SIGKILL')
  assert.deepEqual(left, [])
})

test('a parser that does not come to an end does not outlive whoever asked', async () => {
  const file = new URL('./desk-parent.test-support.ts', import.meta.url)
  const parent = spawn(process.execPath, [file.pathname], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(parent.stdout, 'data')
  const children = listChildren(parent.pid ?? assert.fail())
  assert.equal(children.length, 1)
  // Long enough for it to be in the midst of the text.
  await sleep(2_000)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  const isRunning = (child: number): boolean => {
    try {
      return !/\) Z /u.test(readFileSync(`/proc/${child}/stat`, 'utf8'))
    } catch {
      return false
    }
  }
  try {
    await waitUntil(() => !children.some(isRunning), 'its process has ended')
  } finally {
    for (const child of children.filter(isRunning)) process.kill(child, 'SIGKILL')
  }
})
