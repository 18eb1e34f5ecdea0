/** Changes of what the contract bounds: limits on measures and parameters. */
import type { JsonValue, Limit } from 'rubicon-kernel'
import { DRAWDOWN } from './case.ts'
import type { Open } from './case-parts.ts'
import type { Chance } from './chance.ts'
import type { Mutation } from './mutation.ts'

const BOUNDS = [
  '1',
  '2',
  '2.0',
  '1.999999',
  '2.000001',
  '3',
  '4000',
  '4000.00',
  '3999.99',
  'much',
] as const
export const PATTERNS = [
  'ETH-USD',
  'ETH-*',
  '*',
  'BTC-*',
  're:ETH-.*',
  're:.*',
  'e*',
  'ETH-USD*',
] as const

const CODES = [
  'LIMIT_EXCEEDED',
  'ORDER_VALUE_EXCEEDED',
  'STATE_MISMATCH',
  'AUTHORITY_CEILING',
  'TOO_BIG',
] as const
const SUBJECTS = [
  { measure: 'quantity' },
  { measure: 'order_value_usd' },
  { measure: 'unknown' },
  { field: '/quantity' },
  { field: '/instrument' },
  { field: '/payee/account' },
  { field: '/payees/*' },
  { field: '/payees/*/quantity' },
  { field: 'quantity' },
] as const

function drawLimit(id: string, chance: Chance): Limit {
  const common = {
    id,
    on_breach: chance.pick(['reject', 'escalate']),
    reason_code: chance.pick(CODES),
    ...(chance.once(4) ? { applies_to: chance.pick([['BUY'], ['SELL'], ['SELL', 'BUY']]) } : {}),
  }
  const drawBound = (name: string, list: readonly JsonValue[]): object =>
    chance.once(3) ? {} : { [name]: chance.pick(list) }
  switch (chance.pick(['range', 'set', 'state_match', 'ratio'])) {
    case 'range':
      return {
        ...common,
        kind: 'range',
        ...chance.pick(SUBJECTS),
        ...drawBound('min', BOUNDS),
        ...drawBound('max', BOUNDS),
      }
    case 'set':
      return {
        ...common,
        kind: 'set',
        ...chance.pick(SUBJECTS),
        ...drawBound('allowed', [[], ['2'], [...PATTERNS], [chance.pick(PATTERNS)]]),
        ...drawBound('denied', [[], ['3'], [chance.pick(PATTERNS)]]),
      }
    case 'state_match':
      return {
        ...common,
        kind: 'state_match',
        field: chance.pick(['market.state', 'market.price.ETH-USD', 'nowhere', DRAWDOWN]),
        expected: chance.pick<JsonValue>(['OPEN', 'CLOSED', 2000, '2000', 1.5, '1.5', null, true]),
      }
    default:
      return {
        ...common,
        kind: 'ratio',
        measure: chance.pick(['quantity', 'order_value_usd', 'unknown']),
        of: chance.pick(['order_value_usd', 'quantity', 'unknown']),
        max: chance.pick(['0.0005', '0.00050', '0.000499', '2000', '1999.9', 'half']),
      }
  }
}

export const LIMITS: Readonly<Record<string, Mutation>> = {
  oneLimit: ({ contract }, chance) => {
    contract?.permissions.limits.push(drawLimit('one', chance) as Open<Limit>)
  },
  severalLimits: ({ contract }, chance) => {
    for (const id of ['a', 'b', 'c'])
      contract?.permissions.limits.push(drawLimit(id, chance) as Open<Limit>)
  },
  /** Numbers, booleans and lists of them are texts to a set. */
  scalarSet: ({ contract, params }, chance) => {
    params.venue = chance.pick<JsonValue>([1, true, 'X', ['X', 1], [], null, [null], {}])
    const set = { kind: 'set', field: '/venue', reason_code: 'LIMIT_EXCEEDED' } as const
    const allowed = [...chance.pick([['1', 'X'], ['true'], ['X*']])]
    contract?.permissions.limits.push({ id: 'venue', on_breach: 'reject', allowed, ...set })
  },
  /** Each element is bounded, and the sign of it. */
  eachElement: ({ contract, params }, chance) => {
    const drawItem = (): Open<JsonValue> =>
      chance.pick<Open<JsonValue>>(['2', 1, '-1', '3.000001', 'X', null, { quantity: '2' }])
    params.payees = Array.from({ length: chance.below(4) }, drawItem)
    const common = { id: 'each', kind: 'range', reason_code: 'LIMIT_EXCEEDED' } as const
    const bounds = chance.pick([{ max: '3' }, { min: '-1', max: '3' }, { min: '1' }])
    const on_breach = chance.pick(['reject', 'escalate'])
    const field = chance.pick(['/payees/*', '/payees/*/quantity', '/payees/0'])
    contract?.permissions.limits.push({ ...common, ...bounds, on_breach, field })
  },
  negativeMeasures: (draft, chance) => {
    const measures = chance.pick([
      { quantity: '-1', order_value_usd: '1' },
      { quantity: '1', order_value_usd: '-1000000' },
    ])
    if (draft.law !== null) Object.assign(draft.law, { measures: () => measures })
  },
  orderLimit: ({ contract }, chance) => {
    const limit = contract?.permissions.limits[0]
    if (limit?.kind === 'range') limit.max = chance.pick(['4000', '4000.00', '3999.999999', 'x'])
  },
  escalateLimit: ({ contract }) => {
    const limit = contract?.permissions.limits[0]
    if (limit?.kind === 'range') Object.assign(limit, { max: '1', on_breach: 'escalate' })
  },
  regex: (draft) => {
    draft.regex = (expression, value) =>
      expression === '.*' || (expression === 'ETH-.*' && value.startsWith('ETH-'))
  },
}
