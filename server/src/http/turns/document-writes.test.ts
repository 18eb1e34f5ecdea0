import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Principal } from '../../people/principal.ts'
import { buildHttpProblem } from '../problems/problem.ts'
import { type Reply, type RouteRequest, toReply } from '../schemas/route.ts'
import { DocumentWrites } from './document-writes.ts'

/** Writes whose end the test chooses; `begun` holds their names in the order in which they began. */
function openWrites(ended: RouteRequest['ended'] = async () => null): {
  readonly begun: string[]
  readonly write: (asker: string, name: string) => Promise<Reply>
  readonly end: () => Promise<void>
} {
  const writes = new DocumentWrites({ monotonic: () => 0 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    write: (asker, name) =>
      writes.write({ principal: person(asker), ended }, async () => {
        begun.push(name)
        await new Promise<void>((end) => void ends.push(end))
        return toReply({ name })
      }),
    end: async () => {
      ends.shift()?.()
      await new Promise((next) => setImmediate(next))
    },
  }
}

function person(name: string): Principal {
  return { kind: 'person', name, roles: ['operator'] }
}

test('documents are written one at a time, and one asker has so many waiting', async () => {
  const { begun, write, end } = openWrites()
  const first = write('ann', 'first')
  const names = Array.from({ length: LIMITS.documentsWaitingEach }, (_, i) => `ann-${i}`)
  const waiting = names.map((name) => write('ann', name))
  const tooMany = write('ann', 'one too many')
  assert.deepEqual(begun, ['first'])
  for (const _ of ['first', ...names, 'one too many']) await end()
  assert.equal((await tooMany).status, 503)
  const answers = await Promise.all([first, ...waiting])
  assert.ok(answers.every(({ status }) => status === 200))
  assert.deepEqual(begun, ['first', ...names])
  const later = write('ann', 'later')
  await end()
  assert.equal((await later).status, 200)
})

test('of many askers so many documents wait together, and that of another one goes in between', async () => {
  const { begun, write, end } = openWrites()
  const askers = Array.from(
    { length: LIMITS.documentsWaiting / LIMITS.documentsWaitingEach },
    (_, i) => `p${i}`,
  )
  const all = [write('p0', 'first')]
  for (const asker of askers) {
    for (let i = 0; i < LIMITS.documentsWaitingEach; i++) all.push(write(asker, `${asker}-${i}`))
  }
  const tooMany = write('bob', 'one too many')
  for (const _ of [...all, 'one too many']) await end()
  assert.equal((await tooMany).status, 503)
  assert.ok((await Promise.all(all)).every(({ status }) => status === 200))
  assert.deepEqual(begun.slice(0, 4), ['first', 'p1-0', 'p0-0', 'p1-1'])
})

test('a document that waited is written for somebody who may no longer ask', async () => {
  let problem: Reply | null = null
  const { begun, write, end } = openWrites(async () => problem)
  const first = write('ann', 'first')
  const late = write('ann', 'late')
  problem = buildHttpProblem('TOKEN_INVALID')
  await end()
  await first
  await end()
  assert.equal((await late).status, 401)
  assert.deepEqual(begun, ['first'])
  problem = null
  const next = write('ann', 'next')
  await end()
  assert.equal((await next).status, 200)
})
