/** What a text of the project does to the requests of others, through a process of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askRefused, askWell, listChildren } from './desk.test-support.ts'
import type { PlanRequest } from './desk-request.ts'
import { openDesk } from './open-desk.ts'

/** A parser in native code follows it to the end of its stack, and the process ends. */
const SUM = { artifact: 'sum.ts', text: `export const a = ${'1+'.repeat(100_000)}1\n` }
/** The parser goes through all quotations on every line. */
const QUOTES = { artifact: 'quotes.md', text: `${'> '.repeat(190)}a\n`.repeat(8_000) }

const PLAN: PlanRequest = {
  ask: 'plan',
  key: 'ann',
  changes: [
    {
      text: { artifact: 'a.ts', text: 'export class A {}\n' },
      deltas: [{ op: 'addMember', target: 'class:A', fragment: 'x(): void {}' }],
    },
  ],
  project: [],
}

test('a file that ends the parser does not keep others from being planned', async () => {
  const desk = openDesk()
  try {
    const { changes } = await askWell(desk, { ...PLAN, project: [SUM] })
    assert.equal(changes.length, 1)
    const refused = await askRefused(desk, { ask: 'symbols', text: SUM })
    assert.deepEqual([refused.code, refused.artifact], ['ARTIFACT_UNREADABLE', 'sum.ts'])
  } finally {
    await desk.close()
  }
})

test('a file that a parser does not come to an end with keeps others waiting once', async () => {
  const desk = openDesk({ deadlineMs: 2_000 })
  try {
    assert.equal((await askWell(desk, { ...PLAN, project: [QUOTES] })).changes.length, 1)
    const refused = await askRefused(desk, { ask: 'symbols', text: QUOTES })
    assert.deepEqual([refused.code, refused.artifact], ['ARTIFACT_UNREADABLE', 'quotes.md'])
  } finally {
    await desk.close()
  }
})

test('a process that stands still between two requests is given up behind the deadline', async () => {
  const desk = openDesk({ deadlineMs: 2_000 })
  try {
    await askWell(desk, PLAN)
    const [stopped = assert.fail()] = listChildren(process.pid)
    process.kill(stopped, 'SIGSTOP')
    const began = performance.now()
    assert.equal((await askWell(desk, PLAN)).changes.length, 1)
    assert.ok(performance.now() - began < 50_000, 'a process that runs needs no time to start')
    assert.ok(!listChildren(process.pid).includes(stopped))
  } finally {
    await desk.close()
  }
})

/** Each takes a part of the deadline, and all of them more than one. */
const MANY = Array.from({ length: 24 }, (_, i) => ({
  artifact: `many${i}.md`,
  text: `${'> '.repeat(190)}${i}\n`.repeat(50),
}))

test('a project of many texts is read for one plan, however long all of them take', async () => {
  const desk = openDesk({ deadlineMs: 2_000, parsingMs: 300_000 })
  try {
    assert.equal((await askWell(desk, { ...PLAN, project: MANY })).changes.length, 1)
  } finally {
    await desk.close()
  }
})
