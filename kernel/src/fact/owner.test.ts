import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addSource,
  findClaimedPattern,
  findOwner,
  NO_SOURCES,
  removeSource,
  type Sources,
} from './owner.ts'
import type { FactSource } from './source.ts'

const source = (source_id: string, ...paths: readonly string[]): FactSource => ({
  source_id,
  label: 'trusted',
  paths,
  max_paths: 10,
})
const sourcesOf = (...all: readonly FactSource[]): Sources => all.reduce(addSource, NO_SOURCES)
const nameOf = (sources: Sources, path: string): string => {
  const owner = findOwner(sources, path)
  if (owner.kind === 'source') return owner.source.source_id
  return owner.kind === 'agent' ? `agent ${owner.agent_id}` : owner.kind
}

test('W3: the longest match owns a path, an exact one before any prefix', () => {
  const all = sourcesOf(
    source('everything', '*'),
    source('market', 'market.*'),
    source('prices', 'market.price*'),
    source('eth', 'market.price.ETH'),
  )
  assert.equal(nameOf(all, 'market.price.ETH'), 'eth')
  assert.equal(nameOf(all, 'market.price.ETHX'), 'prices')
  assert.equal(nameOf(all, 'market.price'), 'prices')
  assert.equal(nameOf(all, 'market.volume'), 'market')
  assert.equal(nameOf(all, 'market.'), 'market')
  assert.equal(nameOf(all, 'market'), 'everything')
  assert.equal(nameOf(NO_SOURCES, 'market'), 'nobody')
  assert.equal(nameOf(removeSource(all, 'eth'), 'market.price.ETH'), 'prices')
})

test('W1, W2: the kernel and agents own what is theirs, whoever registers', () => {
  const all = sourcesOf(source('everything', '*'), source('odd', 'claim*', 'kern*'))
  for (const path of ['kernel', 'kernel.x', 'escalation', 'escalation.1.2'])
    assert.equal(nameOf(all, path), 'kernel', path)
  assert.equal(nameOf(all, 'claims.bot.mood'), 'agent bot')
  assert.equal(nameOf(all, 'claims.team.bot.mood'), 'agent team.bot')
  for (const path of ['claims', 'claims.', 'claims.bot', 'claims.bot.', 'claims..mood'])
    assert.equal(nameOf(all, path), 'nobody', path)
  assert.equal(nameOf(all, 'claimsx.bot.mood'), 'odd')
  assert.equal(nameOf(all, 'kernels'), 'odd')
})

test('W4: a prefix does not own the drawdown of an agent', () => {
  const prefixed = sourcesOf(source('feed', 'agent.*', '*', 'agent.bot.drawdown_pct*'))
  assert.equal(nameOf(prefixed, 'agent.bot.drawdown_pct'), 'nobody')
  assert.equal(nameOf(prefixed, 'agent.bot.equity'), 'feed')
  const exact = addSource(prefixed, source('desk', 'agent.bot.drawdown_pct'))
  assert.equal(nameOf(exact, 'agent.bot.drawdown_pct'), 'desk')
  assert.equal(nameOf(exact, 'agent.other.drawdown_pct'), 'nobody')
})

test('two sources of equal claim: the second is told who the first is', () => {
  const all = sourcesOf(source('feed', 'market.*', 'fx.EUR'))
  assert.deepEqual(findClaimedPattern(all, source('other', 'news.*', 'fx.EUR')), {
    pattern: 'fx.EUR',
    source_id: 'feed',
  })
  assert.equal(findClaimedPattern(all, source('feed', 'market.*')), null)
  assert.equal(findClaimedPattern(all, source('other', 'market.price*', 'fx.*')), null)
  const changed = addSource(all, source('feed', 'fx.USD'))
  assert.equal(findClaimedPattern(changed, source('other', 'market.*')), null)
  assert.equal(nameOf(changed, 'market.x'), 'nobody')
})

test('a source that comes back is no longer retired, and the others stay so', () => {
  const gone = removeSource(
    removeSource(sourcesOf(source('a', 'a.*'), source('b', 'b.*')), 'a'),
    'b',
  )
  assert.deepEqual([...gone.retired].sort(), ['a', 'b'])
  assert.deepEqual([...addSource(gone, source('a', 'a.*')).retired], ['b'])
})
