/** Changes of policies and of everything else that asks for a person: stage 9. */
import type { Policy, PolicyAnswer } from 'rubicon-kernel'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutation.ts'

function failOnPurpose(): never {
  throw new Error('bang')
}

const DENY = { kind: 'deny', reason: 'no' } as const
const ASK = {
  kind: 'require_approval',
  channel: 'desk',
  reason: 'large',
  also: [
    { channel: 'night-desk', reason: 'late' },
    { channel: 'desk', reason: 'again' },
  ],
} as const
const ANSWERS: readonly (() => unknown)[] = [
  () => ({ decision: { kind: 'permit' } }),
  () => ({ decision: DENY, determining: ['rule'] }),
  () => ({ decision: ASK }),
  () => ({ decision: null }),
  () => ({ decision: ASK, erroring: [{ rule: 'r', detail: 'd' }] }),
  failOnPurpose,
  () => undefined,
  () => ({ decision: { kind: 'perhaps' } }),
  () => ({ decision: { kind: 'deny' } }),
  () => Promise.resolve({ decision: { kind: 'permit' } }),
]

function drawPolicy(name: string, chance: Chance): Policy {
  const evaluate = chance.pick(ANSWERS) as () => PolicyAnswer
  const kinds = chance.pick([null, null, ['BUY'], ['SELL']])
  const applies = kinds === null ? {} : { applies_to: kinds }
  return { name, version: '1', source: { kind: 'unpinned' }, ...applies, evaluate }
}

export const POLICY: Readonly<Record<string, Mutation>> = {
  confidence: ({ proposal }, chance) => {
    const values = ['0.85', 0.85, '0.849999', '0.7', 0.7, '0.70', '0.699999', 0, 1, '0.8500']
    proposal.confidence = values[chance.below(values.length)] ?? 1
  },
  confidenceUnread: (draft) => {
    draft.late.push(({ proposal }) => {
      proposal.confidence = 'very'
    })
  },
  thresholds: ({ contract }, chance) => {
    if (contract === null) return
    const rules = contract.safety_rules
    const value = chance.pick(['0.95', '0.950', '0.950001', '1', '0', 'high', null])
    const name = chance.pick(['min_confidence_threshold', 'escalate_on_uncertainty'])
    if (value === null) delete rules[name]
    else rules[name] = value
  },
  onePolicy: ({ policies }, chance) => {
    policies.push(drawPolicy('one', chance))
  },
  severalPolicies: ({ policies }, chance) => {
    for (const name of ['a', 'b', 'c']) policies.push(drawPolicy(name, chance))
  },
  propose: ({ contract }) => {
    if (contract !== null) contract.authority = 'PROPOSE'
  },
  humanApproval: ({ contract }, chance) => {
    contract?.safety_rules.requires_human_approval.push(chance.pick(['BUY', 'SELL']))
  },
  parentAgent: ({ contract }) => {
    if (contract !== null) contract.parent_agent = 'strategy_agent_01'
  },
}
