import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { sha256, withCase } from '../compile/case.test-support.ts'
import { isInstance } from './agent-status.ts'
import {
  type Authority,
  findCurrentContract,
  findPinnedContract,
  findShownContract,
  foldAuthority,
  isKeyInUse,
  NO_AUTHORITY,
} from './authority.ts'
import { findClassContract } from './contract-of-class.ts'
import { type Entry, type EntryKind, type Head, sealEntry } from './entry.ts'

const NOW = '2026-03-02T10:00:00.000Z'
const signature = { key_id: 'key-operator', sig: 'c2ln' }

type Bodies = readonly (readonly [EntryKind, object | null])[]

/** Folds bodies as entries of an authority trajectory behind its root. */
function fold(...bodies: Bodies): Authority {
  return foldAuthority(NO_AUTHORITY, entriesOf(bodies))
}

function entriesOf(bodies: Bodies): readonly Entry[] {
  const entries: Entry[] = []
  let head: Head | undefined
  for (const [kind, body] of [['root', {}] as const, ...bodies]) {
    const payload = toCanonicalText({ body, signature } as JsonValue)
    const draft = { tenant: 'acme', trajectory: 'authority', kind, payload }
    const entry = sealEntry(draft, head, NOW, sha256)
    entries.push(body === null ? { ...entry, payload: null } : entry)
    head = { seq: entry.envelope.seq, id: entry.id, at: entry.envelope.at }
  }
  return entries
}

const key = (action: string, key_id: string, change: object = {}): readonly ['key', object] => [
  'key',
  { action, key_id, purpose: 'issuer', public_key: 'AA==', subject: 'ops', ...change },
]

const { contract } = withCase({})
assert.ok(contract !== null)
const deploy = (
  version: string,
  change: { readonly agent_id?: string; readonly revoke_previous?: boolean } = {},
): readonly ['contract', object] => [
  'contract',
  {
    action: 'deploy',
    contract: { ...contract, version, agent_id: change.agent_id ?? 'bot@vault' },
    contract_hash: `sha256:${version}`,
    revoke_previous: change.revoke_previous ?? false,
    persons: { owner: 'p_jane', approvers: [] },
  },
]
const revoke = (id: string, target = 'contract'): readonly ['revocation', object] => [
  'revocation',
  { target, id, reason: 'stop' },
]
const revoked = (authority: Authority): readonly boolean[] =>
  (authority.contracts.get('bot@vault') ?? []).map((version) => version.revoked)

test('every entry moves the position, also one that says nothing about authority', () => {
  assert.equal(NO_AUTHORITY.seq, -1)
  assert.equal(fold().seq, 0)
  assert.equal(fold(['lifecycle', null]).seq, 1)
  assert.equal(fold(['lifecycle', null]).statuses.size, 0)
})

test('a key is added once, retired and found compromised', () => {
  const added = fold(key('add', 'a'), key('add', 'a', { subject: 'evil' }))
  assert.equal(added.keys.get('a')?.subject, 'ops')
  assert.equal(fold(key('add', 'a'), key('retire', 'a')).keys.get('a')?.retired_seq, 2)
  const compromised = fold(key('add', 'a'), key('compromise', 'a', { since_seq: 0 }))
  assert.equal(compromised.keys.get('a')?.compromised_since_seq, 0)
  const always = fold(key('add', 'a'), key('compromise', 'a'))
  assert.equal(always.keys.get('a')?.compromised_since_seq, 2)
  assert.equal(fold(key('retire', 'b'), key('compromise', 'b')).keys.size, 0)
})

test('a key is in use until it is retired or compromised', () => {
  const inUse = (...more: readonly ReturnType<typeof key>[]): boolean => {
    const record = fold(key('add', 'a'), ...more).keys.get('a')
    assert.ok(record !== undefined)
    return isKeyInUse(record)
  }
  assert.equal(inUse(), true)
  assert.equal(inUse(key('retire', 'a')), false)
  assert.equal(inUse(key('compromise', 'a')), false)
})

test('the newest contract serves new flows, and each flow keeps the one it was opened under', () => {
  const authority = fold(deploy('1.0.0'), deploy('1.1.0'))
  assert.equal(findCurrentContract(authority, 'bot@vault', NOW)?.contract.version, '1.1.0')
  assert.equal(findPinnedContract(authority, 'bot@vault', 'sha256:1.0.0')?.seq, 1)
  assert.equal(findPinnedContract(authority, 'bot@vault', 'sha256:2.0.0'), undefined)
  assert.equal(findCurrentContract(authority, 'nobody', NOW), undefined)
  assert.equal(findPinnedContract(authority, 'nobody', 'sha256:1.0.0'), undefined)
})

test('the newest contract in force is chosen, and people are shown one also when none is', () => {
  const LATER = '2026-03-02T11:00:00.000Z'
  const windowed = (version: string, window: object): readonly ['contract', object] => {
    const [kind, body] = deploy(version)
    return [kind, { ...body, contract: { ...contract, agent_id: 'bot@vault', version, ...window } }]
  }
  const at = (authority: Authority, now: string): readonly (string | undefined)[] =>
    [findCurrentContract, findShownContract].map(
      (of) => of(authority, 'bot@vault', now)?.contract.version,
    )
  const later = windowed('1.1.0', { effective_from: LATER })
  assert.deepEqual(at(fold(deploy('1.0.0'), later), NOW), ['1.0.0', '1.0.0'])
  assert.deepEqual(at(fold(deploy('1.0.0'), later), LATER), ['1.1.0', '1.1.0'])
  assert.deepEqual(at(fold(later), NOW), [undefined, '1.1.0'])
  const ended = windowed('1.1.0', { effective_until: NOW })
  assert.deepEqual(at(fold(deploy('1.0.0'), ended), NOW), ['1.0.0', '1.0.0'], 'an end is exclusive')
  const unreadable = windowed('1.1.0', { effective_from: 'soon' })
  assert.deepEqual(at(fold(deploy('1.0.0'), unreadable), NOW), ['1.0.0', '1.0.0'])
  assert.deepEqual(at(fold(deploy('1.0.0')), 'now'), [undefined, '1.0.0'])
})

test('a deployment can revoke what came before it', () => {
  const authority = fold(deploy('1.0.0'), deploy('1.1.0', { revoke_previous: true }))
  assert.deepEqual(revoked(authority), [true, false])
})

test('a revocation reaches one version or all of them, and no other agent', () => {
  const two = [deploy('1.0.0'), deploy('1.1.0'), deploy('1.0.0', { agent_id: 'bot' })]
  assert.deepEqual(revoked(fold(...two, revoke('bot@vault@1.0.0'))), [true, false])
  assert.deepEqual(revoked(fold(...two, revoke('bot@vault@v1.0.0'))), [true, false])
  const all = fold(...two, revoke('bot@vault'))
  assert.deepEqual(revoked(all), [true, true])
  assert.equal(findCurrentContract(all, 'bot@vault', NOW), undefined)
  assert.equal(findCurrentContract(all, 'bot', NOW)?.revoked, false)
  assert.deepEqual(revoked(fold(...two, revoke('bot'))), [false, false])
})

test('a revoked writ, the state of an agent, the rules and the epoch are remembered', () => {
  const authority = fold(
    revoke('sha256:w', 'writ'),
    ['lifecycle', { agent_id: 'bot', from: null, to: 'SUSPENDED' }],
    ['policy', { rules_hash: 'sha256:r', rules: {}, texts: {}, capabilities: [] }],
    ['anchor', { action: 'accept_restore', epoch: 2 }],
  )
  assert.ok(authority.revokedWrits.has('sha256:w'))
  assert.equal(authority.statuses.get('bot'), 'SUSPENDED')
  assert.equal(authority.rules?.law.hash, 'sha256:r')
  assert.equal(authority.epoch, 2)
})

test('a monitor is in force until one of its name takes its place, or it is withdrawn', () => {
  const watch = (name: string, hash: string): readonly ['policy', object] => [
    'policy',
    { action: 'watch', monitor: { name }, monitor_hash: hash },
  ]
  const both = fold(watch('a', 'sha256:1'), watch('b', 'sha256:2'), watch('a', 'sha256:3'))
  assert.deepEqual(
    [...both.monitors].map(([name, { hash, seq }]) => [name, hash, seq]),
    [
      ['a', 'sha256:3', 3],
      ['b', 'sha256:2', 2],
    ],
  )
  const rest = fold(watch('a', 'sha256:1'), ['policy', { action: 'unwatch', name: 'a' }])
  assert.equal(rest.monitors.size, 0)
  assert.equal(rest.rules, null)
})

test('the last move is remembered, and the end of a suspension', () => {
  const move = (from: string | null, to: string): readonly ['lifecycle', object] => [
    'lifecycle',
    { agent_id: 'bot', from, to },
  ]
  const before = [move('INITIALIZING', 'ACTIVE'), move('ACTIVE', 'SUSPENDED')]
  assert.equal(fold(...before).moved.get('bot'), 2)
  assert.equal(fold(...before).lifted.get('bot'), undefined)
  assert.equal(fold(...before, move('SUSPENDED', 'RETIRED')).lifted.get('bot'), undefined)
  assert.equal(fold(...before, move('SUSPENDED', 'ACTIVE')).lifted.get('bot'), 3)
})

/** An instance of `bot@vault`, narrowed from one version of its contract. */
const spawn = (agent_id: string, version: string): readonly ['contract', object] => [
  'contract',
  {
    action: 'spawn',
    contract: { ...contract, version, agent_id, instance_of: 'bot@vault' },
    contract_hash: `sha256:${agent_id}`,
    of: `sha256:${version}`,
  },
]
const isRevoked = (authority: Authority, agent: string): boolean | undefined =>
  authority.contracts.get(agent)?.[0]?.revoked

test('an instance has a contract of its own and stands on that of its class', () => {
  const authority = fold(deploy('1.0.0'), spawn('bot-1', '1.0.0'))
  assert.equal(findCurrentContract(authority, 'bot-1', NOW)?.of, 'sha256:1.0.0')
  assert.deepEqual(
    ['bot-1', 'bot@vault', 'nobody'].map((agent) => isInstance(authority, agent)),
    [true, false, false],
  )
})

test('the revocation of a class reaches its instances, and no others', () => {
  const spawned = [
    deploy('1.0.0'),
    deploy('1.1.0'),
    spawn('old', '1.0.0'),
    spawn('new', '1.1.0'),
    deploy('1.0.0', { agent_id: 'bot' }),
  ]
  const reached = (...more: readonly (readonly [EntryKind, object])[]) => {
    const authority = fold(...spawned, ...more)
    return [isRevoked(authority, 'old'), isRevoked(authority, 'new')]
  }
  assert.deepEqual(reached(), [false, false])
  assert.deepEqual(reached(revoke('bot@vault@1.0.0')), [true, false])
  assert.deepEqual(reached(revoke('bot@vault')), [true, true])
  assert.deepEqual(reached(deploy('1.2.0', { revoke_previous: true })), [true, true])
  assert.deepEqual(reached(revoke('old')), [true, false])
  assert.deepEqual(reached(revoke('bot')), [false, false])
})

test('an instance of a class that is revoked or unknown is born revoked', () => {
  const late = fold(deploy('1.0.0'), revoke('bot@vault'), spawn('bot-1', '1.0.0'))
  assert.equal(isRevoked(late, 'bot-1'), true)
  assert.equal(isRevoked(fold(spawn('bot-1', '1.0.0')), 'bot-1'), true)
  const [kind, body] = spawn('bot-1', '1.0.0')
  const { instance_of: _, ...orphan } = (body as { contract: object & { instance_of: string } })
    .contract
  const nobody = fold(deploy('1.0.0'), [kind, { ...body, contract: orphan }])
  assert.equal(isRevoked(nobody, 'bot-1'), true)
})

test('an instance for an occasion remembers who had it made', () => {
  const [kind, body] = spawn('bot-1', '1.0.0')
  const occasion = { spawner: 'lead', until: { at: NOW }, ends_at: NOW }
  const authority = fold(deploy('1.0.0'), [kind, { ...body, occasion }])
  const [made] = authority.contracts.get('bot-1') ?? []
  assert.deepEqual([made?.occasion, made?.revoked], [occasion, false])
  const [other] = fold(deploy('1.0.0'), [kind, body]).contracts.get('bot-1') ?? []
  assert.ok(other !== undefined && !('occasion' in other))
})

test('folding on leaves what was folded before as it was', () => {
  const entries = entriesOf([deploy('1.0.0'), spawn('bot-1', '1.0.0'), revoke('bot@vault')])
  const before = foldAuthority(NO_AUTHORITY, entries.slice(0, 3))
  const after = foldAuthority(before, entries.slice(3))
  assert.deepEqual([before.seq, isRevoked(before, 'bot-1')], [2, false])
  assert.deepEqual([after.seq, isRevoked(after, 'bot-1')], [3, true])
  assert.deepEqual(after, foldAuthority(NO_AUTHORITY, entries))
})

test('persons, sources and single capabilities are folded where they fit, and change nothing else', () => {
  const register = { action: 'register', person_id: 'p_ann', identities: [] }
  const source = {
    action: 'register',
    source_id: 'exchange',
    label: 'trusted',
    paths: ['market.*'],
    max_paths: 10,
  }
  const folded = fold(['person', register], ['person', register], ['source', source])
  assert.deepEqual([...folded.persons.ids], [['p_ann', 'p_ann']])
  assert.deepEqual([...folded.sources.byId.keys()], ['exchange'])
  const other = { ...source, source_id: 'broker' }
  const unread = { ...other, label: 'mine' }
  const still = fold(['source', source], ['source', other], ['source', unread])
  assert.deepEqual([...still.sources.byId.keys()], ['exchange'], 'its paths are taken')
  const retire = (source_id: string): object => ({ action: 'retire', source_id })
  const kept = fold(['source', source], ['source', retire('broker')])
  assert.deepEqual([...kept.sources.byId.keys()], ['exchange'])
  const retired = fold(['source', source], ['source', retire('exchange')])
  assert.deepEqual([...retired.sources.byId.keys()], [])
  const capability = {
    action: 'capability',
    capability: { kind: 'BUY' },
    capability_hash: 'sha256:b',
  }
  assert.equal(fold(['policy', capability]).rules, null, 'there are no rules that it belongs to')
  const rules = { compiler_version: '1.0.0' }
  const recorded = { rules_hash: 'sha256:r', rules, texts: {}, capabilities: [] }
  const read = { ...capability, capability: { kind: 'LOOK', effect: 'read' } }
  const { rules: known } = fold(['policy', recorded], ['policy', read])
  assert.deepEqual([...(known?.reads ?? [])], ['sha256:b'], 'from now on they have it')
})

test('who answers for an agent is whom its contract was deployed with', () => {
  const [deployed] = fold(deploy('1.0.0')).contracts.get('bot@vault') ?? []
  assert.deepEqual(deployed?.persons, { owner: 'p_jane', approvers: [] })
})

test('an instance leads to the contract that it was narrowed from, and a class to none', () => {
  const of = 'sha256:1.0.0'
  const spawn = {
    action: 'spawn',
    contract: { ...contract, agent_id: 'bot-1', instance_of: 'bot@vault' },
    contract_hash: 'sha256:i',
    of,
  }
  const authority = fold(deploy('1.0.0'), ['contract', spawn])
  const [instance] = authority.contracts.get('bot-1') ?? []
  const [own] = authority.contracts.get('bot@vault') ?? []
  assert.equal(findClassContract(authority, instance), own?.contract)
  assert.equal(findClassContract(authority, own), undefined)
  assert.equal(findClassContract(authority, undefined), undefined)
})
