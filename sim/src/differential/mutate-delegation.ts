/** Chains of writs, honest and not, and what an effect and a call may cost: stages 4 to 6. */
import type { WritBody } from 'rubicon-kernel'
import { type Draft, deriveChildWrit } from './case.ts'
import type { Open } from './case-parts.ts'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutation.ts'

type Change = (child: Open<WritBody>, chance: Chance) => void

const FLAGS = ['read', 'write', 'external', 'irreversible'] as const
const MEASURES = ['calls', 'usd', 'volume'] as const
const AMOUNTS = ['0', '1', '1.0', '9.999999', '10', '10.000000', '10.000001', '50', '50.5'] as const

/** At most a millisecond away; another change may have made it unreadable, and then it stays. */
function shiftTime(time: string, chance: Chance): string {
  const ms = Date.parse(time) + chance.pick([-1, 0, 1])
  return Number.isNaN(ms) ? time : new Date(ms).toISOString()
}

/** Each may narrow, widen or leave as it is: the law has to find out. */
const CHANGES: readonly Change[] = [
  (child, chance) => {
    child.effect_ceiling[chance.pick(FLAGS)] = chance.once(2)
  },
  (child, chance) => {
    child.budget[chance.pick(MEASURES)] = chance.pick(AMOUNTS)
  },
  (child, chance) => {
    child.budget.tokens = chance.pick(['0', '1', 'much', '-1', '0.5'])
  },
  (child) => {
    delete child.budget.volume
  },
  (child, chance) => {
    child.window.not_before = shiftTime(child.window.not_before, chance)
  },
  (child, chance) => {
    child.window.expires_at = shiftTime(child.window.expires_at, chance)
  },
  (child, chance) => {
    child.scopes = [{ kind: chance.pick(['BUY', 'B*', '*', 'SELL']) }]
  },
  (child, chance) => {
    const kind = chance.pick(['BUY', 'BUY*'])
    const values = chance.pick([
      ['ETH-USD'],
      ['BTC-*'],
      ['BTC-USD'],
      ['*'],
      ['BT*'],
      ['re:ETH-.*'],
      [],
    ])
    child.scopes = [{ kind, resources: { instruments: [...values] } }]
  },
  (child) => {
    const [scope] = child.scopes
    if (scope !== undefined) scope.resources = { ...scope.resources, venues: ['X'] }
  },
  (child, chance) => {
    child.delegation.max_depth += chance.pick([-5, -1, 0, 1, 2])
  },
  (child) => {
    child.delegation.may_delegate = !child.delegation.may_delegate
  },
  (child, chance) => {
    child.subject_key = chance.pick(['key-agent', 'key-second'])
  },
  () => undefined,
]

function grow({ chain }: Draft, chance: Chance): void {
  const leaf = chain[0]
  if (leaf === undefined) return
  const child = deriveChildWrit(leaf)
  if (!chance.once(3)) chance.pick(CHANGES)(child, chance)
  chain.unshift(child)
}

/** The budget row that the measure's fact will be, one unit around where it is spent. */
const setSpent =
  (measure: string, values: readonly string[]): Mutation =>
  (draft, chance) => {
    const used = chance.pick(values)
    draft.late.push(({ facts }) => {
      for (const row of facts.budgets) if (row.measure === measure) row.used = used
    })
  }

export const DELEGATION: Readonly<Record<string, Mutation>> = {
  grow,
  growMore: (draft, chance) => {
    for (let links = 1 + chance.below(3); links > 0; links -= 1) grow(draft, chance)
  },
  shallowRoot: (draft, chance) => {
    const root = draft.chain.at(-1)
    if (root !== undefined) root.delegation.max_depth = chance.pick([0, 1, 2])
    grow(draft, chance)
  },
  /** Of an expression we know only that it is inside itself and inside everything. */
  expressions: (draft, chance) => {
    const [leaf] = draft.chain
    const buildScopes = (pattern: string) => [
      { kind: 'BUY', resources: { instruments: [pattern] } },
    ]
    if (leaf !== undefined)
      leaf.scopes = buildScopes(chance.pick(['*', 'E*', 're:ETH-.*', 'ETH-USD']))
    grow(draft, chance)
    const [child] = draft.chain
    if (child !== undefined)
      child.scopes = buildScopes(chance.pick(['re:ETH-.*', 're:.*', 'ETH-USD', '*']))
  },
  narrowRoot: ({ chain }, chance) => {
    const root = chain.at(-1)
    if (root !== undefined) chance.pick(CHANGES)(root, chance)
  },
  widenLeaf: ({ chain }, chance) => {
    const leaf = chain[0]
    if (leaf !== undefined) chance.pick(CHANGES)(leaf, chance)
  },
}

export const CAPABILITY: Readonly<Record<string, Mutation>> = {
  absent: (draft) => {
    draft.law = null
  },
  changed: (draft) => {
    draft.late.push(({ facts }) => {
      if (facts.capability !== null) facts.capability.hash = 'sha256:another'
    })
  },
  unknownToFacts: (draft) => {
    draft.late.push(({ facts }) => {
      facts.capability = null
    })
  },
  effect: ({ description }, chance) => {
    description.effect = chance.pick(['read', 'put_if_match', 'keyed', 'queryable', 'unsafe'])
    description.reversible = chance.once(2)
    description.world_only = chance.once(2)
  },
  branch: ({ description, facts }, chance) => {
    facts.flow.trajectory = chance.pick(['what-if', 'what-if', 'Main', 'main'])
    if (chance.once(3)) description.effect = 'read'
    if (chance.once(3)) description.world_only = true
    if (chance.once(3)) description.branches = 'world'
  },
  ceiling: ({ chain }, chance) => {
    const body = chain[chance.below(chain.length)]
    if (body !== undefined) body.effect_ceiling[chance.pick(FLAGS)] = false
  },
}

export const BUDGET: Readonly<Record<string, Mutation>> = {
  calls: setSpent('calls', ['98', '99', '100', '99.0', '99.5', '-1', 'all']),
  usd: setSpent('usd', ['9.989999', '9.99', '9.990000', '9.990001', '9.9900000', '9.99000001']),
  volume: setSpent('volume', ['47.999999', '48', '48.0', '48.000001', '50', '51']),
  granted: (draft, chance) => {
    const granted = chance.pick(['2', '2.000', '1.999999', '0', '-5', 'plenty', '2e3'])
    const measure = chance.pick(MEASURES)
    draft.late.push(({ facts }) => {
      for (const row of facts.budgets) if (row.measure === measure) row.granted = granted
    })
  },
  rowMissing: (draft, chance) => {
    const measure = chance.pick(MEASURES)
    draft.late.push(({ facts }) => {
      facts.budgets = facts.budgets.filter((row) => row.measure !== measure)
    })
  },
  ancestorRow: (draft, chance) => {
    const measure = chance.pick(MEASURES)
    const used = chance.pick(['0', '1000'])
    draft.late.push(({ facts, writs }) => {
      const writ = writs.at(-1)?.id ?? 'sha256:none'
      facts.budgets.push({ writ, measure, granted: '1000', used })
    })
  },
  /** Over all flows of the agent, around where the window is spent, or not counted at all. */
  agentWindow: ({ contract, facts }, chance) => {
    if (contract === null) return
    const usd = chance.pick(['10', '9.99', '0.01', '50'])
    const measured = chance.once(4) ? { [chance.pick(['quantity', 'order_value_usd'])]: '50' } : {}
    const rule = { window_s: '3600', calls: '10', usd, volume: '50', ...measured }
    contract.safety_rules.budget_per_agent = rule
    const used = {
      quantity: '0',
      order_value_usd: '0',
      calls: chance.pick(['0', '9', '10', '11', '9.5', '-1', 'all']),
      usd: chance.pick(['0', '9.98', '9.99', '0.01', '49']),
      ...(chance.once(8) ? {} : { volume: chance.pick(['0', '47', '48', '50']) }),
    }
    facts.agent_window = chance.once(8) ? null : { from: facts.now, used }
  },
  /** A budget in what is measured, and not counted. */
  measuredRow: (draft, chance) => {
    const measure = chance.pick(['quantity', 'order_value_usd', 'kwh'])
    if (chance.once(4) && draft.law !== null) {
      const cost = chance.pick([{ [measure]: '1' }, { [measure]: '0' }, {}])
      Object.assign(draft.law, { cost: () => cost })
    }
    draft.late.push(({ facts, writs }) => {
      const writ = chance.once(8) ? 'sha256:stranger' : (writs[0]?.id ?? 'sha256:none')
      facts.budgets.push({ writ, measure, granted: '50', used: '0' })
    })
  },
  strangerRow: (draft, chance) => {
    const measure = chance.pick(['tokens', 'calls'])
    draft.late.push(({ facts }) => {
      facts.budgets.push({ writ: 'sha256:stranger', measure, granted: '1000', used: '1000' })
    })
  },
  staticCost: ({ description }, chance) => {
    const measure = chance.pick(['tokens', 'usd', 'calls', 'kwh'])
    description.cost[measure] = chance.pick([
      '0',
      '0.0',
      '1',
      '99',
      '9.99',
      '10.000001',
      'much',
      '-1',
    ])
  },
}
