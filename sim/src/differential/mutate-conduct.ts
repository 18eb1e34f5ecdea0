/** Changes of what is done, with which values, and what the contract says to it: stages 7 and 8. */
import type { CapabilityLaw, FactLabel, JsonValue } from 'rubicon-kernel'
import { DRAWDOWN, type Draft, formatTimeFromNow } from './case.ts'
import type { Open } from './case-parts.ts'
import type { Chance } from './chance.ts'
import { PATTERNS } from './mutate-limits.ts'
import type { Mutation } from './mutation.ts'

const LABELS = ['trusted', 'operator', 'external', 'agent'] as const satisfies readonly FactLabel[]
const QUANTITIES = [
  '25',
  '25.0',
  '25.000001',
  '24.999999',
  25,
  0.1,
  1e-7,
  '0',
  '-1',
  '0.10',
  50,
  '1,5',
  '02',
  null,
] as const

function failOnPurpose(): never {
  throw new Error('bang')
}

const changeLaw =
  (...laws: readonly unknown[]): Mutation =>
  (draft, chance) => {
    if (draft.law !== null) Object.assign(draft.law, chance.pick(laws) as Partial<CapabilityLaw>)
  }

function setState({ facts }: Draft, path: string, value: JsonValue | undefined): void {
  facts.state = facts.state.filter((fact) => fact.path !== path)
  if (value === undefined) return
  const common = {
    source: 'sim',
    label: 'trusted',
    observed_at: formatTimeFromNow(0),
    version: '2',
  } as const
  facts.state.push({ path, value: value as Open<JsonValue>, ...common })
}

const WIDENED = [
  '*',
  'market.*',
  'market.price.*',
  'market.state',
  'market.stat',
  'accounts.*',
  'accounts.settlement',
  DRAWDOWN,
] as const

function drawAccepts(chance: Chance): Record<string, 'external' | 'agent'> {
  const accepts: Record<string, 'external' | 'agent'> = {}
  for (let i = 0; i < 3; i += 1)
    accepts[chance.pick(WIDENED)] = chance.pick(['external', 'agent'] as const)
  return accepts
}

export const ARGUMENTS: Readonly<Record<string, Mutation>> = {
  quantity: ({ params }, chance) => {
    const value = chance.pick(QUANTITIES)
    if (value === null) delete params.quantity
    else params.quantity = value
  },
  unknownParameter: ({ params }) => {
    params.colour = 'red'
  },
  validateThrows: changeLaw({ validate: failOnPurpose }),
  ground: ({ proposal }, chance) => {
    const path = chance.pick(['accounts.nowhere', 'market.state', 'accounts.settlement', null])
    proposal.grounds = path === null ? {} : { '/account': path }
  },
  otherAccount: ({ params }, chance) => {
    params.account = chance.pick(['ACC-2', 1, null, ['ACC-1']])
  },
  noAccount: ({ params }) => {
    delete params.account
  },
  label: ({ facts }, chance) => {
    for (const fact of facts.state) fact.label = chance.pick(LABELS)
  },
  oneLabel: ({ facts }, chance) => {
    const [fact] = facts.state.filter(() => chance.once(3))
    if (fact !== undefined) fact.label = chance.pick(LABELS)
  },
  operatorsWord: ({ facts }, chance) => {
    for (const fact of facts.state.filter(() => chance.once(2))) {
      fact.label = 'operator'
      fact.until = formatTimeFromNow(chance.pick([1, 5_000, 29_999, 30_000, 30_001, 3_600_000]))
    }
  },
  capabilityAccepts: ({ facts, description }, chance) => {
    for (const fact of facts.state) fact.label = chance.pick(LABELS)
    description.accepts = drawAccepts(chance)
  },
  contractAccepts: ({ facts, contract }, chance) => {
    for (const fact of facts.state) fact.label = chance.pick(LABELS)
    if (contract !== null) contract.permissions.accepts = drawAccepts(chance)
  },
  nestedSink: ({ description, params, proposal }, chance) => {
    description.sinks = { '/payee/account': ['trusted'] }
    if (!chance.once(4)) params.payee = { account: chance.pick(['ACC-1', 'ACC-2']) }
    if (chance.once(8)) params.payee = chance.pick<JsonValue>(['ACC-1', null, [{}], ['ACC-2']])
    // A name that only looks like the way to the nested one.
    if (chance.once(3)) params['payee.account'] = 'ACC-1'
    if (chance.once(2)) proposal.grounds = { '/payee/account': 'accounts.settlement' }
  },
  sinksInArrays: ({ description, params, proposal }, chance) => {
    const sink = chance.pick(['/payees/*/account', '/payees/1/account', '/payees/*', '/payees/x~2'])
    description.sinks = { [sink]: ['trusted', 'operator'] }
    const drawPayee = (): Open<JsonValue> =>
      chance.pick<Open<JsonValue>>([{ account: 'ACC-1' }, { account: 'ACC-2' }, {}, 'ACC-1', null])
    params.payees = Array.from({ length: chance.below(4) }, drawPayee)
    if (chance.once(6))
      params.payees = chance.pick<Open<JsonValue>>([{ 0: { account: 'ACC-1' } }, 5])
    const tail = sink.endsWith('account') ? '/account' : ''
    const grounded = [0, 1, 2]
      .filter(() => !chance.once(5))
      .map((index) => `/payees/${index}${tail}`)
    proposal.grounds = Object.fromEntries(grounded.map((at) => [at, 'accounts.settlement']))
  },
}

export const PRECONDITIONS: Readonly<Record<string, Mutation>> = {
  price: (draft, chance) => {
    const prices = ['2000.00', 2000, 25_000, '25000.01', '25000', '2,000', null, undefined, 2e21]
    setState(draft, 'market.price.ETH-USD', prices[chance.below(prices.length)])
  },
  measures: changeLaw(
    { measures: failOnPurpose },
    { measures: () => ({}) },
    { measures: () => ({ quantity: 'much', order_value_usd: '1' }) },
    { measures: () => ({ quantity: Number.NaN, order_value_usd: 1 }) },
    { measures: () => ({ quantity: 0, order_value_usd: -0 }) },
    { measures: () => null },
    { measures: () => ({ quantity: ['2', '3'], order_value_usd: { a: 1 } }) },
  ),
  noMeasures: ({ description }) => {
    description.measures = []
  },
  instrument: ({ params }, chance) => {
    const instruments = ['BTC-USD', 'DOGE-USD', ['ETH-USD', 'BTC-USD'], ['ETH-USD', 'X'], [], 5, '']
    const value = instruments[chance.below(instruments.length)]
    if (value !== undefined) params.instrument = value
  },
  noInstrument: ({ params }) => {
    delete params.instrument
  },
  contractResources: ({ contract }, chance) => {
    if (contract !== null)
      contract.permissions.resources = chance.once(4)
        ? {}
        : { instruments: [chance.pick(PATTERNS)] }
  },
  writResources: ({ chain }, chance) => {
    for (const body of chain)
      body.scopes = [
        { kind: 'BUY', resources: { instruments: [chance.pick(PATTERNS)] } },
        { kind: 'B*', resources: { instruments: ['BTC-USD'] } },
      ]
  },
  /** A resource set that no measure depends on, so that nothing outranks it. */
  venue: ({ description, contract, params }, chance) => {
    description.scopes = { venues: chance.once(4) ? '/venue/*' : '/venue' }
    if (contract !== null) contract.permissions.resources = { venues: ['X', 'Y-*', 're:Z.*'] }
    params.venue = chance.pick<JsonValue>(['X', 'Y-1', 'Y', 'Z1', [], ['X', 'Y-2'], ['X', 1], null])
  },
  noScopes: ({ description }) => {
    description.scopes = {}
  },
  touchesNothing: ({ description }, chance) => {
    description.touches = 'none'
    if (chance.once(2)) description.scopes = {}
    if (chance.once(3)) description.measures = []
  },
  /** Of these some are about the kind, some are answered, and some neither. */
  meantSets: ({ contract, chain, description }, chance) => {
    if (contract === null) return
    const drawKinds = (): string[] => [...chance.pick([['BUY'], ['SELL'], ['SELL', 'BUY']])]
    contract.permissions.resources = {
      instruments: { allow: ['ETH-*', 'BTC-USD'], applies_to: drawKinds() },
      ...(chance.once(2) ? { venues: { allow: ['X'], applies_to: drawKinds() } } : {}),
    }
    if (chance.once(2)) for (const body of chain) body.scopes = [{ kind: 'B*' }]
    if (chance.once(4))
      for (const body of chain) body.scopes = [{ kind: 'B*', resources: { venues: ['X'] } }]
    if (chance.once(4)) description.scopes = {}
  },
  envelope: ({ contract, description, law }, chance) => {
    if (contract === null) return
    const drawDriftEntry = (): string | { max: string; applies_to: string[] } => {
      const max = chance.pick(['2.0', 'strict'])
      return chance.once(2) ? max : { max, applies_to: [chance.pick(['BUY', 'SELL'])] }
    }
    const name = chance.pick(['price_pct', 'price_abs', 'volume_pct', 'price_bps'])
    contract.jit_verification.drift_envelope = { [name]: drawDriftEntry() }
    if (chance.once(4))
      description.jit_fields = [...chance.pick([[], ['volume'], ['price', 'volume']])]
    if (law !== null && chance.once(4))
      Object.assign(law, chance.pick([{ jit: failOnPurpose }, { jit: () => ({}) }]))
  },
  drawdown: (draft, chance) => {
    const values = ['3.999999', '4', '4.0', '4.000001', 4, 3.9, 'deep', undefined, '-1']
    setState(draft, DRAWDOWN, values[chance.below(values.length)])
  },
  drawdownLimit: ({ contract }, chance) => {
    if (contract === null) return
    const limit = chance.pick(['1.5', '1.50', '1.500001', 'low', null])
    if (limit === null) delete contract.safety_rules.max_drawdown_limit_pct
    else contract.safety_rules.max_drawdown_limit_pct = limit
  },
  reducing: ({ description }) => {
    description.reducing = true
  },
  cost: changeLaw(
    { cost: failOnPurpose },
    { cost: () => ({ volume: 'much' }) },
    { cost: () => ({ usd: '9.99' }) },
    { cost: () => ({ usd: '9.990001' }) },
    { cost: () => ({ tokens: '0' }) },
    { cost: () => ({ calls: 1 }) },
  ),
  context: ({ proposal }) => {
    proposal.context_ref = 'sha256:another'
  },
  absent: ({ absent, proposal }, chance) => {
    const members = ['agent_id', 'context_ref', 'dfid', 'mission_context_hash']
    absent.push(...members.filter(() => chance.once(2)))
    if (chance.once(3)) proposal.signature = { key_id: 'key-agent', sig: 'c2ln' }
  },
  snapshotAt: ({ facts }, chance) => {
    const ages = [29_999, 30_000, 30_001, 899_999, 900_000, 900_001]
    const age = ages[chance.below(ages.length)] ?? 0
    facts.flow.snapshot_at = chance.once(8) ? 'lately' : formatTimeFromNow(-age)
  },
  noContextAge: ({ contract }) => {
    if (contract !== null) delete contract.jit_verification.max_context_age_seconds
  },
  resources: ({ proposal }, chance) => {
    const all = ['position:ETH-USD', 'account:ACC-1', 'more'].map((id) => ({ id, amount: '1' }))
    proposal.resources = all.slice(chance.below(2), 1 + chance.below(3))
  },
  needed: changeLaw(
    { resources: failOnPurpose },
    { resources: () => [{ id: 'a' }] },
    { resources: () => [] },
    { resources: () => null },
  ),
  mission: ({ proposal }) => {
    proposal.mission_context_hash = 'sha256:another'
  },
  retracted: ({ facts }) => {
    for (const resource of facts.world) resource.retracted = true
  },
  precondition: changeLaw(
    { precondition: failOnPurpose },
    { precondition: () => 'not now' },
    { precondition: () => undefined },
    { precondition: () => '' },
  ),
}
