import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, Facts, SignedIntent, StateFact } from 'rubicon-kernel'
import { AuditedFacts } from './facts.ts'
import type { Line } from './report.ts'

const NOW = '2026-06-01T12:00:00.000Z'
const LINE = { trajectory: 'main', seq: 7, at: NOW } as Line
const LATER = '2026-06-01T12:00:00.001Z'

type Case = {
  readonly state?: readonly Partial<StateFact>[]
  readonly seen?: readonly Partial<StateFact>[]
  readonly limits?: readonly object[]
  readonly accepts?: object
  readonly drawdown?: boolean
  readonly drift?: readonly string[]
  readonly enteredAt?: string
}

function found({
  state = [],
  seen = [],
  limits = [],
  accepts,
  drawdown,
  drift = [],
  enteredAt = NOW,
}: Case): number {
  const details: string[] = []
  const contract = {
    permissions: { limits, ...(accepts === undefined ? {} : { accepts }) },
    safety_rules: drawdown === true ? { max_drawdown_limit_pct: '4' } : {},
  } as unknown as Contract
  const audited = new AuditedFacts((_invariant, detail) => void details.push(detail), {
    contracts: new Map([['c', { contract }]]),
    getStatus: (name) => (name === 'bot' ? 'ACTIVE' : undefined),
  })
  const entered = (kind: string, body: object): void =>
    audited.add({ ...LINE, kind, payload: { body } } as Line)
  const register = (source_id: string, label: string, ...paths: readonly string[]): void =>
    entered('source', { action: 'register', source_id, label, paths, max_paths: 9 })
  register('feed', 'external', 'market.*', 'agent.*')
  register('desk', 'trusted', 'market.price')
  register('gone', 'trusted', 'old.*')
  entered('source', { action: 'retire', source_id: 'gone' })
  const capability = { kind: 'BUY', reducing: false, sinks: {} }
  entered('policy', { rules_hash: 'h', capabilities: [{ capability, capability_hash: 'b' }] })
  const intent = { policy_kind: 'BUY', agent_id: 'bot', contract_hash: 'c', capability_hash: 'b' }
  audited.auditDecision({ ...LINE, at: enteredAt }, intent as unknown as SignedIntent, {
    facts: { now: NOW, state, seen } as unknown as Facts,
    proposal: {},
    jit: { drift: drift.map((path) => ({ path })) },
  })
  return details.length
}

const fact = (path: string, source: string, label: string, until?: string): Partial<StateFact> =>
  ({ path, source, label, ...(until === undefined ? {} : { until }) }) as Partial<StateFact>

test('a fact is the word of whoever owns its path, under the label registered there', () => {
  for (const [given, problems] of [
    [fact('market.price', 'desk', 'trusted'), 0],
    [fact('market.price', 'feed', 'external'), 1],
    [fact('market.volume', 'feed', 'external'), 0],
    [fact('market.volume', 'feed', 'trusted'), 1],
    [fact('old.x', 'gone', 'trusted'), 1],
    [fact('agent.bot.drawdown_pct', 'feed', 'external'), 1],
    [fact('claims.bot.calm', 'agent:bot', 'agent'), 0],
    [fact('claims.bot.calm', 'agent:other', 'agent'), 1],
    [fact('market.price', 'agent:bot', 'agent'), 1],
    [fact('market.price', 'operator:olga', 'operator', LATER), 0],
    [fact('market.price', 'operator:olga', 'operator', NOW), 1],
    [fact('market.price', 'operator:bot', 'operator', LATER), 1],
    [fact('market.price', 'desk', 'trusted', LATER), 1],
    [fact('escalation.1', 'kernel', 'trusted'), 0],
    [fact('escalation.1', 'desk', 'trusted'), 1],
  ] as const)
    assert.equal(found({ state: [given] }), problems, JSON.stringify(given))
})

test("an operator's word that ended between the decision and its entry is found", () => {
  const state = [fact('market.price', 'operator:olga', 'operator', LATER)]
  assert.equal(found({ state, enteredAt: NOW }), 0)
  assert.equal(found({ state, enteredAt: LATER }), 1)
})

test('what had to be read was there, and its label was accepted', () => {
  const field = 'claims.bot.calm'
  const limits = [{ id: 'calm', kind: 'state_match', field, expected: true }]
  const state = [fact(field, 'agent:bot', 'agent')]
  assert.equal(found({ limits }), 1)
  assert.equal(found({ limits, state }), 1)
  assert.equal(found({ limits, state, accepts: { 'claims.*': 'agent' } }), 0)
  assert.equal(found({ limits, state, accepts: { 'claims.*': 'external' } }), 1)
  assert.equal(found({ limits: [{ ...limits[0], applies_to: ['SELL'] }] }), 0)
  assert.equal(found({ drawdown: true }), 1)
  assert.equal(found({ drift: ['market.price'] }), 1)
  assert.equal(found({ seen: [fact('market.volume', 'feed', 'external')] }), 1)
})

test('a source that is registered anew is found', () => {
  const details: string[] = []
  const known = { contracts: new Map(), getStatus: () => undefined }
  const audited = new AuditedFacts((_invariant, detail) => void details.push(detail), known)
  const source = { source_id: 'press', label: 'external', paths: ['news.*'], max_paths: 9 }
  const enter = (body: object): void =>
    audited.add({ ...LINE, kind: 'source', payload: { body } } as Line)
  enter({ action: 'register', ...source })
  assert.deepEqual(details, [])
  enter({ action: 'register', ...source, label: 'trusted' })
  assert.equal(details.length, 1)
})
