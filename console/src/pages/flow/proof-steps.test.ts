import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, Trace } from 'rubicon-kernel'
import { listProofSteps, type ProofStep } from './proof-steps.ts'

const PROPOSAL = {
  evidence_hash: 'e1',
  dfid: 'd1',
  context_ref: 's1',
  signature: { key_id: 'k1', sig: 'x' },
}
const FACTS = {
  auth: { kind: 'signature', signature: { key_id: 'k1', subject: 'bot', valid: true } },
  flow: { dfid: 'd1', snapshot_id: 's1', agent_id: 'bot' },
  seen: [{ path: 'price', value: '100' }],
  state: [{ path: 'price', value: '100' }],
  claim: null,
  contract: { hash: 'c1' },
  rules_hash: 'r1',
}

function traceOf(code: 'pass' | Refused, details: JsonObject = {}): Trace {
  const base = { stage: 'proof', read: [] } as const
  if (code === 'pass') return [{ ...base, said: 'pass' }]
  return [{ ...base, said: 'reject', refusals: [{ code, details }] }]
}

type Refused = 'REJECT_AUTH' | 'REJECT_CONTEXT' | 'REJECT_DRIFT' | 'REJECT_HASH'

function stepsOf(trace: Trace, facts: object = {}): readonly ProofStep[] {
  const steps = listProofSteps({
    proposal: PROPOSAL,
    facts: { ...FACTS, ...facts } as JsonObject,
    trace,
  })
  return steps ?? assert.fail('there is a proof')
}

const outcomesOf = (steps: readonly ProofStep[]): string =>
  steps.map(({ outcome }) => outcome).join(', ')

test('a proof that holds has five steps that hold, each with what was compared', () => {
  const steps = stepsOf(traceOf('pass'))
  assert.equal(outcomesOf(steps), 'held, held, held, held, held')
  assert.deepEqual(
    steps.map(({ compared: [first] }) => [first?.what, first?.said, first?.wanted]),
    [
      ['key', 'k1', 'k1'],
      ['flow', 'd1', 'd1'],
      ['snapshot', 's1', 's1'],
      ['price', '100', '100'],
      ['hash', 'e1', 'e1'],
    ],
  )
})

test('the first step that fails is the last that was asked, and no later one seems to hold', () => {
  const cases: readonly (readonly [Refused, JsonObject, string])[] = [
    ['REJECT_AUTH', { key_id: 'k1' }, 'failed, not asked, not asked, not asked, not asked'],
    ['REJECT_CONTEXT', { member: 'dfid' }, 'held, failed, not asked, not asked, not asked'],
    ['REJECT_CONTEXT', { wanted: 's2' }, 'held, held, failed, not asked, not asked'],
    ['REJECT_DRIFT', {}, 'held, held, held, failed, not asked'],
    ['REJECT_HASH', { wanted: 'e2' }, 'held, held, held, held, failed'],
  ]
  for (const [code, details, wanted] of cases) {
    const steps = stepsOf(traceOf(code, details))
    assert.equal(outcomesOf(steps), wanted)
    for (const { outcome, compared } of steps)
      assert.equal(compared.length === 0, outcome === 'not asked')
  }
})

test('what failed shows both sides', () => {
  const [, , , values] = stepsOf(traceOf('REJECT_DRIFT'), {
    state: [{ path: 'price', value: '90' }],
  })
  assert.deepEqual(values?.compared, [{ what: 'price', said: '100', wanted: '90' }])
  const hash = stepsOf(traceOf('REJECT_HASH', { wanted: 'e2' })).at(-1)
  assert.deepEqual(hash?.compared[0], { what: 'hash', said: 'e1', wanted: 'e2' })
})

test('of a step that was claimed before only signer and flow are asked again', () => {
  const steps = stepsOf(traceOf('pass'), { claim: { status: 'SUCCESS' } })
  assert.equal(outcomesOf(steps), 'held, held, not asked, not asked, not asked')
})

test('without a proof there are no steps, and where none was checked none held', () => {
  assert.equal(listProofSteps({ proposal: {}, facts: FACTS, trace: [] }), null)
  assert.equal(outcomesOf(stepsOf([])).includes('held'), false)
})
