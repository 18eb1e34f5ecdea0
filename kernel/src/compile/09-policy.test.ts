import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '../policy/policy.ts'
import { withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { refused, staged, suspended } from './expect.test-support.ts'

test('below the lower threshold a person looks, between the two it goes back', () => {
  staged({ proposal: { confidence: '0.85' } })
  staged({ proposal: { confidence: 0.85 } })
  refused({ proposal: { confidence: '0.8499' } }, 'LOW_CONFIDENCE')
  refused({ proposal: { confidence: '0.70' } }, 'LOW_CONFIDENCE')
  suspended({ proposal: { confidence: '0.6999' } }, 'UNCERTAINTY')
  suspended({ proposal: { confidence: 0 } }, 'UNCERTAINTY')
})

test('without thresholds confidence decides nothing', () => {
  const contract = {
    safety_rules: { min_confidence_threshold: null, escalate_on_uncertainty: null },
  }
  staged({ contract, proposal: { confidence: 0 } })
})

test('a threshold or a confidence that cannot be read is not reached', () => {
  suspended({ contract: { safety_rules: { escalate_on_uncertainty: 'low' } } }, 'UNCERTAINTY')
  refused({ contract: { safety_rules: { min_confidence_threshold: 'high' } } }, 'LOW_CONFIDENCE')
  const input = withCase({})
  const verdict = compile({ ...input, proposal: { ...input.proposal, confidence: 'very' } })
  assert.equal(verdict.kind === 'suspended' && verdict.code, 'UNCERTAINTY')
})

test('an agent that may only propose always waits for a person', () => {
  const verdict = suspended({ contract: { authority: 'PROPOSE' } }, 'AUTHORITY_PROPOSE_ONLY')
  assert.deepEqual(
    verdict.triggers.map(({ id, channel }) => [id, channel]),
    [['authority', 'operator']],
  )
})

test('a kind can need a person every time, and then no parent agent will do', () => {
  const contract = {
    parent_agent: 'strategy_agent_01',
    safety_rules: { requires_human_approval: ['BUY'] },
  }
  const [trigger] = suspended({ contract }, 'HUMAN_APPROVAL_REQUIRED').triggers
  assert.equal(trigger?.channel, 'operator')
  staged({ contract: { safety_rules: { requires_human_approval: ['SELL'] } } })
})

test('a policy that denies or errs refuses, and outranks one that asks', () => {
  refused({ policy: 'denies' }, 'POLICY_DENIED')
  refused({ policy: 'throws' }, 'POLICY_ERROR')
  refused({ policy: 'errs' }, 'POLICY_ERROR')
  refused({ policy: 'asks_and_denies' }, 'POLICY_DENIED')
})

test('policies that permit, say nothing or are about something else let it pass', () => {
  for (const policy of ['none', 'permits', 'silent', 'elsewhere'] as const) staged({ policy })
})

test('every reason to ask is a trigger, and the first by precedence names the verdict', () => {
  const limit = { id: 'size', measure: 'quantity', max: '1', on_breach: 'escalate' }
  const verdict = suspended(
    {
      contract: {
        authority: 'PROPOSE',
        permissions: { limits: [limit] },
        safety_rules: { requires_human_approval: ['BUY'] },
      },
      policy: 'asks',
      proposal: { confidence: '0.1' },
    },
    'AUTHORITY_PROPOSE_ONLY',
  )
  assert.deepEqual(
    verdict.triggers.map(({ id }) => id),
    ['limit:size', 'authority', 'kind', 'confidence', 'policy:asks@risk-desk'],
  )
})

test('a policy sees what the capability measured', () => {
  const seen: unknown[] = []
  const policy: Policy = {
    name: 'watch',
    version: '1',
    source: { kind: 'unpinned' },
    evaluate({ measures }) {
      seen.push(measures.quantity)
      return { decision: { kind: 'permit' }, determining: ['all'], erroring: [] }
    },
  }
  staged({ policies: [policy] })
  assert.deepEqual(seen, [withCase({}).proposal.params.quantity])
})
