import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildDecisionBody,
  isSameIntention,
  type ShownModification,
  type ShownRequest,
} from './decision-body.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const BINDS = { intent_digest: 'i', shown_snapshot: 's', shown_facts: 'f', lifts: ['limit'] }
const WORDS = { reason: 'asked for', acknowledgement: 'pay 800' }

function brief(acknowledge: string | null = 'pay 800'): ShownRequest {
  return { binds: BINDS, impact: 'HIGH_IMPACT', acknowledge }
}

test('a yes is bound to what was shown, and ends in five minutes', () => {
  assert.deepEqual(buildDecisionBody(brief(), { word: 'OVERRIDE' }, WORDS, NOW), {
    decision: 'OVERRIDE',
    ...BINDS,
    justification: 'asked for',
    valid_until: '2026-01-01T00:05:00.000Z',
    acknowledged_impact: 'HIGH_IMPACT',
    acknowledgement: 'pay 800',
  })
})

test('words that nobody asked for are sent along', () => {
  const body = buildDecisionBody(brief(null), { word: 'OVERRIDE' }, WORDS, NOW)
  assert.equal('acknowledgement' in body, false)
})

test('a no lifts something', () => {
  const no = { word: 'ABORT', retire: false } as const
  const bound = { intent_digest: 'i', shown_snapshot: 's', justification: 'asked for', lifts: [] }
  assert.deepEqual(buildDecisionBody(brief(), no, WORDS, NOW), { decision: 'ABORT', ...bound })
  const last = buildDecisionBody(brief(), { ...no, retire: true }, WORDS, NOW)
  assert.deepEqual(last, { decision: 'ABORT', ...bound, retire: true })
})

test('a change is approved with the impact and the words of what it replaces', () => {
  const effect = { params: { amount: '1' } }
  const judged: ShownModification = { effect, digest: 'd', impact: 'LOW_IMPACT', acknowledge: null }
  const decision = { word: 'MODIFY', judged } as const
  const { decision: word, ...body } = buildDecisionBody(brief(), decision, WORDS, NOW)
  assert.deepEqual(body, {
    ...BINDS,
    justification: 'asked for',
    valid_until: '2026-01-01T00:05:00.000Z',
    acknowledged_impact: 'LOW_IMPACT',
    modified: effect,
    modification: 'd',
  })
  assert.equal(word, 'MODIFY')
})

test('the same decision a second later is another intention', () => {
  const [one, later] = [NOW, NOW + 1_000].map((now) =>
    buildDecisionBody(brief(), { word: 'OVERRIDE' }, WORDS, now),
  )
  const other = buildDecisionBody(brief(), { word: 'ABORT', retire: false }, WORDS, NOW)
  assert.ok(one !== undefined && later !== undefined)
  assert.deepEqual([isSameIntention(one, later), isSameIntention(one, other)], [true, false])
})
