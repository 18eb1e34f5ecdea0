import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgentFlow,
  type AgentProposal,
  ContractViolation,
  EscalationRequired,
  type ExplainResult,
  RoaAgent,
  type RoaDecision,
  type RoaFeedback,
} from 'rubicon-agents'
import type { WorkingContext } from 'rubicon-kernel'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGENT } from '../../../server/src/http/served.test-support.ts'
import { stage, testBoth } from './connected.test-support.ts'

type Choose = (refused: readonly RoaFeedback[]) => AgentProposal | null

/** Proposes what it is told to; tells what it was asked. */
class Clerk extends RoaAgent {
  readonly choose: Choose
  readonly stages: string[] = []

  constructor(choose: Choose) {
    super()
    this.choose = choose
  }

  override explain({ trigger }: WorkingContext): ExplainResult {
    this.stages.push('explain')
    return { narrative: `somebody wrote: ${trigger}`, risks: ['it may be a trick'] }
  }

  override policy(
    _: ExplainResult,
    __: WorkingContext,
    refused: readonly RoaFeedback[],
  ): AgentProposal | null {
    this.stages.push('policy')
    return this.choose(refused)
  }

  override selfCheck(proposal: AgentProposal, context: WorkingContext): void {
    this.stages.push('selfCheck')
    super.selfCheck(proposal, context)
  }
}

class UncheckedClerk extends Clerk {
  override selfCheck(): void {}
}

const refund = (amount: string, more: object = {}): AgentProposal => ({
  policy_kind: 'REFUND',
  params: { order: 'o_1', amount },
  ...more,
})

const CONTRACTS = [
  buildContract(AGENT, ['REFUND'], {
    permissions: {
      forbidden_kinds: ['COMPENSATE'],
      limits: [
        { id: 'alone', measure: 'refund_usd', max: '500.00', on_breach: 'escalate' },
        { id: 'ever', measure: 'refund_usd', max: '5000.00' },
      ],
    },
    safety_rules: {
      min_confidence_threshold: '0.85',
      escalate_on_uncertainty: '0.70',
      escalations_per_hour: 100,
    },
  }),
]

testBoth(
  'it explains, chooses, checks and emits, in this order; the explanation is recorded',
  async (t, way) => {
    const { connect, runtime } = await stage(t, way, { contracts: CONTRACTS })
    const flow = await (await connect()).open({ trigger: 'ticket 1' })
    const clerk = new Clerk(() => refund('20.00'))
    const decision = await clerk.decide(flow)
    assert.ok(decision.kind === 'answered' && decision.answer.outcome === 'ACCEPTED')
    assert.deepEqual(clerk.stages, ['explain', 'policy', 'selfCheck'])
    const entries = await runtime.store.listFlowEntries(flow.dfid)
    assert.ok(entries.some(({ payload }) => payload?.includes('somebody wrote: ticket 1')))
  },
)

testBoth(
  'what its own check stops is not sent, and is handed to the next choice',
  async (t, way) => {
    const { connect, runtime, calls } = await stage(t, way, { contracts: CONTRACTS })
    const flow = await (await connect()).open({ trigger: 'ticket 1' })
    const before = await runtime.store.listFlowEntries(flow.dfid)
    const seen: (readonly RoaFeedback[])[] = []
    const clerk = new Clerk((refused) => {
      seen.push([...refused])
      return { policy_kind: 'SELL' }
    })
    const decision = await clerk.decide(flow, { attempts: 2 })
    assert.equal(decision.kind, 'held')
    assert.deepEqual(
      decision.refused.map(({ code, answer }) => [code, answer]),
      [
        ['RBAC_DENIED', null],
        ['RBAC_DENIED', null],
      ],
    )
    assert.deepEqual(
      seen.map(({ length }) => length),
      [0, 1],
    )
    assert.deepEqual(await runtime.store.listFlowEntries(flow.dfid), before)
    assert.deepEqual(calls, [])
  },
)

testBoth(
  'a refusal comes back with what would help, and the next proposal may pass',
  async (t, way) => {
    const { connect, calls } = await stage(t, way, { contracts: CONTRACTS })
    const flow = await (await connect()).open({ trigger: 'ticket 1' })
    const clerk = new Clerk(([last]) => refund(last === undefined ? '9000.00' : '20.00'))
    const decision = await clerk.decide(flow)
    assert.ok(decision.kind === 'answered' && decision.answer.outcome === 'ACCEPTED')
    assert.deepEqual(
      decision.refused.map(({ code }) => code),
      ['LIMIT_EXCEEDED'],
    )
    assert.equal(calls.length, 1)
  },
)

testBoth(
  'it stops where the runtime says that it is over, and asks no fourth time',
  async (t, way) => {
    const { connect, calls } = await stage(t, way, { contracts: CONTRACTS })
    const flow = await (await connect()).open({ trigger: 'ticket 1' })
    const clerk = new Clerk(() => refund('9000.00'))
    const decision = await clerk.decide(flow, { attempts: 10 })
    assert.ok(decision.kind === 'answered' && decision.answer.outcome === 'EXHAUSTED')
    assert.equal(clerk.stages.filter((one) => one === 'policy').length, 3)
    assert.deepEqual(calls, [])
  },
)

testBoth(
  'what it must not decide goes to a person, and the proposal is not sent',
  async (t, way) => {
    const { connect, runtime } = await stage(t, way, { contracts: CONTRACTS })
    const flow = await (await connect()).open({ trigger: 'ticket 1' })
    const decision = await new Clerk(() => refund('20.00', { confidence: '0.50' })).decide(flow)
    assert.ok(decision.kind === 'escalated' && decision.answer.outcome === 'ACCEPTED')
    assert.match(decision.reason, /confidence 0.50 is below 0.7/)
    assert.equal((await runtime.store.readFlow(flow.dfid))?.state, 'ESCALATED')
    const entries = await runtime.store.listFlowEntries(flow.dfid)
    assert.ok(!entries.some(({ payload }) => payload?.includes('"policy_kind":"REFUND"')))
  },
)

test('the self-check names the code that the runtime would', async (t) => {
  const { connect } = await stage(t, 'in process', { contracts: CONTRACTS })
  const { context } = await (await connect()).open({ trigger: 'ticket 1' })
  const clerk = new Clerk(() => null)
  const check = (proposal: AgentProposal): unknown => {
    try {
      return clerk.selfCheck(proposal, context)
    } catch (error) {
      return error instanceof ContractViolation ? error.code : (error as Error).name
    }
  }
  assert.equal(check(refund('20.00')), undefined)
  assert.equal(check({ policy_kind: 'COMPENSATE' }), 'KIND_FORBIDDEN')
  assert.equal(check({ policy_kind: 'SELL' }), 'RBAC_DENIED')
  assert.equal(check({ policy_kind: 'ESCALATE' }), undefined)
  assert.equal(check(refund('20.00', { confidence: 0.8 })), 'LOW_CONFIDENCE')
  assert.equal(check(refund('20.00', { confidence: '0.6999' })), EscalationRequired.name)
  assert.equal(check(refund('20.00', { confidence: '0.85' })), undefined)
})

/** What the runtime said of a proposal, without what differs from flow to flow. */
function toVerdict(decision: RoaDecision): string {
  if (decision.kind !== 'answered') return decision.kind
  const { answer } = decision
  return `${answer.outcome} ${'reason_code' in answer ? answer.reason_code : answer.execution.status}`
}

test('without the self-check no verdict of the runtime is another one', async (t) => {
  const { connect, calls } = await stage(t, 'in process', { contracts: CONTRACTS })
  const agent = await connect()
  const proposals = [
    ...['0.01', '20.00', '500.00', '500.01', '5000.00', '5000.01'].map((amount) => refund(amount)),
    ...['0.69', '0.70', '0.84', '0.85', '1'].map((confidence) => refund('20.00', { confidence })),
    { policy_kind: 'SELL' },
    { policy_kind: 'COMPENSATE', params: { dfid: 'x', action: 'REVERT' } },
    refund('20.00', { valid_until: '2020-01-01T00:00:00.000Z' }),
    { policy_kind: 'REFUND', params: { order: 'o_1' } },
  ]
  const decideWith = async (clerk: Clerk): Promise<string> => {
    const flow: AgentFlow = await agent.open({ trigger: 'x' })
    return toVerdict(await clerk.decide(flow, { attempts: 1 }))
  }
  let stopped = 0
  for (const proposal of proposals) {
    const checked = await decideWith(new Clerk(() => proposal))
    const effects = calls.length
    const unchecked = await decideWith(new UncheckedClerk(() => proposal))
    if (checked === unchecked) continue
    // It was stopped before it was sent: then the runtime stops it, and nothing reaches the outside.
    stopped += 1
    assert.match(checked, /^(held|escalated)$/)
    assert.match(unchecked, /^(REJECTED|ESCALATED) /, JSON.stringify(proposal))
    assert.equal(calls.length, effects)
  }
  assert.equal(stopped, 5)
})
