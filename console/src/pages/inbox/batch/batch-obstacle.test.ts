import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EscalationBrief } from 'rubicon-agents/client'
import { findBatchObstacle } from './batch-obstacle.ts'
import { brief } from './brief.test-support.ts'

const why = (change: Partial<EscalationBrief>, word: 'OVERRIDE' | 'ABORT' = 'OVERRIDE'): string =>
  findBatchObstacle(brief('a', change), word) ?? 'none'

test('what is small, open and runs is decided together with others', () => {
  assert.equal(why({}), 'none')
  assert.equal(why({}, 'ABORT'), 'none')
})

test('what has a high impact is not, whichever word: also if it became so meanwhile', () => {
  for (const word of ['OVERRIDE', 'ABORT'] as const) {
    assert.match(why({ impact: 'HIGH_IMPACT' }, word), /high impact/)
    assert.match(why({ acknowledge: 'PURCHASE 10' }, word), /high impact/)
  }
})

test('what is over, has no proposal, would not run, or is somebody else\u2019s to decide is left out', () => {
  assert.match(why({ state: 'closed' }), /decided already/)
  assert.match(why({ kind: 'asked' }), /no proposal/)
  assert.match(why({ outlook: { kind: 'asks_again' } }), /would not run/)
  assert.equal(why({ outlook: { kind: 'asks_again' } }, 'ABORT'), 'none')
  const may = { OVERRIDE: 'SELF_APPROVAL', MODIFY: null, ABORT: null }
  assert.match(why({ may }), /somebody else has to approve it/)
  assert.equal(why({ may }, 'ABORT'), 'none')
  const claimed = { by: 'ben', person: 'p_ben', since: '', until: '', yours: false }
  assert.match(why({ claimed }), /ben looks after it/)
  assert.equal(why({ claimed: { ...claimed, yours: true } }), 'none')
})
