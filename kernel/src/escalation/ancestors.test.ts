import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAncestors } from '../contract/hierarchy.ts'
import { LIMITS } from '../limits.ts'
import { type Climbing, findAncestorAbove, findNearestAncestor } from './ancestors.ts'

type Agent = {
  readonly parent?: string
  readonly kinds?: readonly string[]
  readonly from?: string
}

function climbing(
  agents: Readonly<Record<string, Agent>>,
  change: { readonly statuses?: object; readonly keys?: readonly object[] } = {},
): Climbing {
  const { statuses = {}, keys = [] } = change
  const contracts = Object.entries(agents).map(([agent, { parent, kinds = ALL, from = FIRST }]) => {
    const permissions = { policy_kinds: kinds }
    const contract = { parent_agent: parent, permissions, effective_from: from }
    return [agent, [{ contract, revoked: false }]] as const
  })
  const authority = {
    contracts: new Map(contracts),
    statuses: new Map(Object.entries(statuses)),
    keys: new Map(keys.map((key, i) => [String(i), key])),
  } as unknown as Climbing['authority']
  return { authority, now: '2026-03-02T10:00:00.000Z', agent: 'child', kind: 'BUY' }
}

const FIRST = '2026-01-01'
const ALL = ['BUY', 'RESOLVE_ESCALATION']
const FAMILY = { lead: { parent: 'head' }, head: { parent: 'chief' }, chief: {} }

test('the nearest is asked, then the next above, until nobody is left', () => {
  const all = climbing(FAMILY)
  assert.equal(findNearestAncestor('lead', all), 'lead')
  assert.equal(findAncestorAbove('lead', all), 'head')
  assert.equal(findAncestorAbove('head', all), 'chief')
  assert.equal(findAncestorAbove('chief', all), undefined)
  assert.equal(findNearestAncestor('nobody', all), undefined)
  assert.equal(findAncestorAbove('nobody', all), undefined)
})

test('A1 whoever is stopped, may not decide or may not do it, is passed over', () => {
  for (const status of ['SUSPENDED', 'RETIRED'])
    assert.equal(
      findNearestAncestor('lead', climbing(FAMILY, { statuses: { lead: status } })),
      'head',
    )
  for (const kinds of [['BUY'], ['RESOLVE_ESCALATION']])
    assert.equal(
      findNearestAncestor('lead', climbing({ ...FAMILY, lead: { parent: 'head', kinds } })),
      'head',
    )
  const later = { ...FAMILY, head: { parent: 'chief', from: '2027-01-01' } }
  assert.equal(findAncestorAbove('lead', climbing(later)), undefined, 'no contract leads further')
})

test('A1 neither the child itself nor an agent that holds its key is asked', () => {
  const own = climbing({ child: { parent: 'lead' }, ...FAMILY })
  assert.equal(findNearestAncestor('child', own), 'lead')
  const key = (subject: string, more: object = {}): object => ({
    subject,
    public_key: 'same',
    ...more,
  })
  const shared = { keys: [key('child'), key('lead')] }
  assert.equal(findNearestAncestor('lead', climbing(FAMILY, shared)), 'head')
  const apart = { keys: [key('child'), key('lead', { public_key: 'its own' })] }
  assert.equal(findNearestAncestor('lead', climbing(FAMILY, apart)), 'lead')
  const strangers = { keys: [key('stranger'), key('lead')] }
  assert.equal(findNearestAncestor('lead', climbing(FAMILY, strangers)), 'lead', 'not the child')
  const retired = { keys: [key('child'), key('lead', { retired_seq: 3 })] }
  assert.equal(findNearestAncestor('lead', climbing(FAMILY, retired)), 'lead')
})

test('A2 the chain above an agent ends, also where contracts form a circle', () => {
  const circle = (agent: string): string => (agent === 'a' ? 'b' : 'a')
  assert.deepEqual(listAncestors('a', circle), ['b'])
  assert.deepEqual(listAncestors('c', circle), ['a', 'b'])
  const endless = listAncestors('0', (agent) => String(Number(agent) + 1))
  assert.equal(endless.length, LIMITS.delegationDepth)
})
