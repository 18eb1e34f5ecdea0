import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CapabilityDescription,
  formatAcknowledgement,
  judgeImpact,
  NO_PAST,
} from 'rubicon-kernel'
import type { Weighed } from '../approvals/raised-impact.ts'
import { findModificationProblems, findRequestProblems } from './asked.ts'

const AT = '2026-02-01T09:00:00.000Z'
const ENDS = '2026-02-01T10:00:00.000Z'
const READ = '2026-02-01T09:00:10.000Z'

/** What is wrong with a modification that was judged so, of a capability that is described so. */
function problems(judged: object, described: object = {}): readonly string[] {
  const weighed = { impact: 'LOW_IMPACT', impact_reasons: [], not_before: READ, ...judged }
  const words = weighed.impact === 'HIGH_IMPACT' ? { acknowledge: 'BUY' } : {}
  const description = { kind: 'BUY', scopes: {}, reversible: true, risk: 'low', ...described }
  return findModificationProblems(
    { exposure: null, ...words, ...weighed } as unknown as Weighed,
    {},
    AT,
    description as unknown as CapabilityDescription,
    AT,
  )
}

test('a modification is HIGH_IMPACT exactly where there is a reason for it', () => {
  const other = ['its impact is not the one that it states']
  assert.deepEqual(problems({}), [])
  assert.deepEqual(problems({ impact: 'HIGH_IMPACT' }), other)
  assert.deepEqual(problems({ impact_reasons: ['unusual'] }), other)
  assert.deepEqual(problems({ impact: 'HIGH_IMPACT', impact_reasons: ['unusual'] }), [])
})

test('it has every reason that its capability gives, whatever it measures', () => {
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['risk_high'] }
  assert.deepEqual(problems(high, { risk: 'high' }), [])
  assert.equal(problems({}, { risk: 'high' }).length, 1)
  assert.equal(problems({ ...high, impact_reasons: ['unusual'] }, { risk: 'high' }).length, 1)
  const exposure = { measure: 'usd', threshold: '1' }
  assert.deepEqual(problems({}, { exposure }), [], 'how much it is, nobody recorded')
  assert.deepEqual(problems({}, { exposure: { measure: 1, threshold: '1' } }), [
    'its capability cannot be read',
  ])
})

test('it is read before anybody decides, from when it was asked', () => {
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['unusual'] }
  const soon = '2026-02-01T09:00:09.999Z'
  assert.deepEqual(problems({ ...high, not_before: soon }), [
    'it may be approved before there is time to read it',
  ])
  assert.deepEqual(problems({ not_before: AT }), [])
  const weighed = { ...high, not_before: soon } as unknown as Weighed
  const early = '2026-02-01T08:59:59.999Z'
  assert.deepEqual(findModificationProblems(weighed, {}, AT, undefined, early), [
    'approval was requested after the entry was written',
    'it may be approved before there is time to read it',
  ])
})

test('it is typed with the words of what it is about, and of nothing else', () => {
  const high = { impact: 'HIGH_IMPACT', impact_reasons: ['unusual'] }
  const other = ['the words to acknowledge are not those of its impact']
  for (const acknowledge of ['', 'SELL', 'BUY 5', undefined])
    assert.deepEqual(problems({ ...high, acknowledge }), other, acknowledge)
  const exposure = { measure: 'usd', value: '5.50', threshold: '1' }
  assert.deepEqual(problems({ ...high, exposure }), other)
  assert.deepEqual(problems({ ...high, exposure, acknowledge: 'BUY 5.5' }), [])
  assert.deepEqual(problems({ acknowledge: 'BUY' }), other, 'LOW_IMPACT is not typed')
  assert.deepEqual(problems(high, { scopes: { to: 7 } }), [], 'what cannot be read names nothing')
})

type Asked = Parameters<typeof findRequestProblems>

test('a request states the exposure that was measured before it was asked', () => {
  const description = {
    kind: 'BUY',
    scopes: {},
    reversible: true,
    risk: 'low',
    exposure: { measure: 'usd', threshold: '10' },
  } as unknown as CapabilityDescription
  const asked = (trace: unknown, measured: string, change: object = {}): string[] => {
    const judged = judgeImpact(description, { usd: measured }, NO_PAST)
    const acknowledge = formatAcknowledgement(description, {}, judged.exposure)
    const words = judged.impact === 'HIGH_IMPACT' ? { acknowledge } : {}
    const times = { requested_at: AT, not_before: READ, expires_at: ENDS }
    const request = { ...judged, ...words, past: null, reversible: true, ...times, ...change }
    const payload = { request, facts: { now: AT }, trace }
    return findRequestProblems(payload as unknown as Asked[0], description, AT)
  }
  const other = ['its impact is not the one that it states']
  const trace = [
    { stage: 'budget', measures: { usd: '1' } },
    { stage: 'preconditions', measures: { usd: '25' } },
  ]
  assert.deepEqual(asked(trace, '25'), [])
  assert.deepEqual(asked(trace, '1'), other)
  assert.deepEqual(asked('no list', '25'), other)
  assert.deepEqual(asked(trace, '25', { reversible: false }), other, 'nor can it be taken back')
  const times = { requested_at: AT, not_before: READ, expires_at: ENDS }
  const unknown = { request: times, facts: { now: AT }, trace }
  assert.deepEqual(findRequestProblems(unknown as unknown as Asked[0], undefined, AT), [
    'its capability is not recorded',
  ])
  const before = '2026-02-01T08:59:59.999Z'
  assert.deepEqual(findRequestProblems(unknown as unknown as Asked[0], undefined, before), [
    'approval was requested after the entry was written',
    'its capability is not recorded',
  ])
})

test('a request that does not say when it was asked leaves nobody time to read it', () => {
  const unsaid = { request: { impact: 'LOW_IMPACT', not_before: READ, expires_at: ENDS } }
  assert.deepEqual(findRequestProblems(unsaid as unknown as Asked[0], undefined, AT), [
    'it does not say when approval was requested',
  ])
})
