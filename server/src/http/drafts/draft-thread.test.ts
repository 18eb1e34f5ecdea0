import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { DraftEnded } from '../problems/draft-ended.ts'
import { DraftThread } from './draft-thread.ts'

test('D3: however much is only tried, what is to be put in force has its place', async () => {
  const thread = new DraftThread()
  const ask = (asker: string, rank: { readonly first?: true } = {}) =>
    thread.ask(
      { kind: 'monitor', text: '{}' },
      { asker, budget: { leftMs: LIMITS.draftMs }, ...rank },
    )
  const askers = Array.from(
    { length: LIMITS.draftsWaiting / LIMITS.draftsWaitingEach },
    (_, i) => `other/person auditor-${i}`,
  )
  // The thread has not started by then: all of them wait.
  const tried = askers.flatMap((asker) =>
    Array.from({ length: LIMITS.draftsWaitingEach }, () => ask(asker)),
  )
  const full = (error: unknown): boolean =>
    error instanceof DraftEnded && error.failure.code === 'OVERLOADED'
  await assert.rejects(ask('here/person ann'), full)
  const deployed = Array.from({ length: LIMITS.draftsWaitingEach }, () =>
    ask('here/person ann', { first: true }),
  )
  await assert.rejects(ask('here/person ann', { first: true }), full)
  const answers = await Promise.all([...tried, ...deployed])
  assert.ok(answers.every(({ ok }) => !ok))
})
