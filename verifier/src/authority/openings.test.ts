/** Forged by whoever holds the kernel's keys: what was begun by, or for, agents that nobody would have let begin. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Contract,
  computeAddress,
  type JsonObject,
  toCanonicalText,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut } from '../samples/sample-executors.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  move,
  revoke,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const CHILD = '019c1200-0000-7000-8000-00000000000c'

function begun(): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return builder
}

async function found(builder: LedgerBuilder): Promise<readonly string[]> {
  return places(await verifyTwice(builder.text()))
}

/** Of the entry that was appended last. */
function last({ entries }: LedgerBuilder): string[] {
  return [`${entries.length - 1} AUTHORITY_ORDER`]
}

function deploy(builder: LedgerBuilder, change: Partial<Contract>, more: JsonObject = {}): Address {
  const next: Contract = { ...contract, ...change }
  const contract_hash = computeAddress('contract', next, sha256)
  builder.decree('contract', { ...DEPLOY, contract: next, contract_hash, ...more })
  return contract_hash
}

function open(builder: LedgerBuilder, hash: Address = contractHash): Address {
  return grant(builder, writBody(builder), { contract: { hash, seq: 6 } })
}

test('AUTHORITY_ORDER: a flow for an agent that is suspended, has ended or was never active', async () => {
  const suspended = begun()
  move(suspended, 'ACTIVE', 'SUSPENDED', 'operator')
  open(suspended)
  assert.deepEqual(await found(suspended), last(suspended))
  const again = begun()
  move(again, 'ACTIVE', 'SUSPENDED', 'operator')
  move(again, 'SUSPENDED', 'ACTIVE', 'operator')
  open(again)
  assert.deepEqual(await found(again), [])
  const retired = begun()
  move(retired, 'ACTIVE', 'RETIRED', 'operator')
  open(retired)
  assert.deepEqual(await found(retired), last(retired))
  for (const born of [true, false]) {
    const builder = begun()
    const hash = deploy(builder, { agent_id: 'helper' })
    if (born) move(builder, null, 'INITIALIZING', 'operator', 'helper')
    const flow = { agent_id: 'helper', contract: { hash, seq: 9 } }
    grant(builder, writBody(builder, { subject: 'helper' }), flow)
    assert.deepEqual(await found(builder), last(builder), String(born))
  }
})

test('AUTHORITY_ORDER: a flow whose writ grants more than its contract, or for longer than a day', async () => {
  const opened = async (change: Partial<WritBody>): Promise<boolean> => {
    const builder = begun()
    grant(builder, writBody(builder, change))
    const seen = await found(builder)
    assert.deepEqual(seen, seen.length === 0 ? [] : last(builder))
    return seen.length > 0
  }
  const not_before = '2026-02-01T00:00:00.000Z'
  const inside: readonly Partial<WritBody>[] = [
    { budget: {} },
    { budget: { calls: '100', tokens: '1000' } },
    { window: { not_before, expires_at: '2026-02-02T00:00:00.000Z' } },
  ]
  for (const change of inside) assert.equal(await opened(change), false, JSON.stringify(change))
  const beyond: readonly Partial<WritBody>[] = [
    { budget: { calls: '101' } },
    { budget: { calls: '1', tokens: '1001' } },
    { budget: { usd: '0.000001' } },
    { window: { not_before, expires_at: '2026-02-02T00:00:00.001Z' } },
  ]
  for (const change of beyond) assert.equal(await opened(change), true, JSON.stringify(change))
})

test('AUTHORITY_ORDER: in a bundle, a flow for an agent that is suspended', async () => {
  const builder = begun()
  move(builder, 'ACTIVE', 'SUSPENDED', 'operator')
  open(builder)
  const bundle = builder.bundle(DFID, undefined)
  assert.deepEqual(places(await verifyTwice(toCanonicalText(bundle))), last(builder))
})

test('AUTHORITY_ORDER: a child below a flow whose agent is suspended', async () => {
  const builder = begun()
  const hash = deploy(builder, { agent_id: 'helper' })
  move(builder, null, 'INITIALIZING', 'operator', 'helper')
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', 'helper')
  const scopes = [{ kind: 'BUY' }, { kind: 'SPAWN_CHILD' }]
  const above: WritBody = { ...writBody(builder), scopes, subject_key: builder.issuer.id }
  const parent = grant(builder, above)
  const child = (): void => {
    const delegation = { max_depth: 0, may_delegate: false }
    const narrowed = { subject: 'helper', nonce: CHILD, parent, delegation }
    const body = writBody(builder, { ...narrowed, scopes: [{ kind: 'BUY' }] })
    const flow = { dfid: CHILD, agent_id: 'helper', parent_dfid: DFID, contract: { hash, seq: 9 } }
    grant(builder, body, flow)
  }
  child()
  assert.deepEqual(await found(builder), [])
  builder.entries.splice(-2)
  move(builder, 'ACTIVE', 'SUSPENDED', 'operator')
  child()
  assert.deepEqual(await found(builder), [`${builder.entries.length - 2} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: a flow outside the window of its contract, both sides of each boundary', async () => {
  /** When the flow is opened: every entry of the builder comes a second later. */
  const at = '2026-02-01T09:00:12.000Z'
  const windows: readonly [Partial<Contract>, boolean][] = [
    [{ effective_from: at }, true],
    [{ effective_from: '2026-02-01T09:00:12.001Z' }, false],
    [{ effective_until: '2026-02-01T09:00:12.001Z' }, true],
    [{ effective_until: at }, false],
    [{ effective_from: '2026-02-01' }, false],
  ]
  for (const [window, isInside] of windows) {
    const builder = begun()
    open(builder, deploy(builder, { version: '2.0.0', ...window }))
    assert.equal(builder.now(), at)
    const expected = isInside ? [] : last(builder)
    assert.deepEqual(await found(builder), expected, JSON.stringify(window))
  }
})

test('AUTHORITY_ORDER: a flow under a version that another has replaced, that is revoked, or of nobody', async () => {
  const replaced = begun()
  deploy(replaced, { version: '2.0.0' })
  open(replaced)
  assert.deepEqual(await found(replaced), last(replaced))
  const later = begun()
  deploy(later, { version: '2.0.0', effective_from: '2026-03-01T00:00:00.000Z' })
  open(later)
  assert.deepEqual(await found(later), [], 'one for later leaves today’s in force')
  const back = begun()
  deploy(back, { version: '2.0.0' })
  revoke(back, 'contract', `${AGENT}@2.0.0`)
  open(back)
  assert.deepEqual(await found(back), [], 'the newest of those that are left')
  const revoked = begun()
  revoke(revoked, 'contract', AGENT)
  open(revoked)
  assert.deepEqual(await found(revoked), last(revoked))
  const nobodys = begun()
  open(nobodys, `sha256:${'1'.repeat(64)}`)
  assert.deepEqual(await found(nobodys), last(nobodys))
})

test('AUTHORITY_ORDER: what is accepted for an agent that is suspended, or under a contract that is not its flow’s', async () => {
  const suspended = begun()
  const writ = open(suspended)
  move(suspended, 'ACTIVE', 'SUSPENDED', 'operator')
  accept(suspended, writ)
  assert.deepEqual(await found(suspended), last(suspended))
  const other = begun()
  const own = open(other)
  dispatch(other, own, { contract_hash: deploy(other, { version: '2.0.0' }) })
  assert.deepEqual(await found(other), last(other))
})

test('AUTHORITY_ORDER: an instance that a step asked for which was accepted, and not sent', async () => {
  const ends_at = '2026-02-01T12:00:00.000Z'
  const occasion = { spawner: AGENT, until: { at: ends_at }, ends_at }
  const agent_id = 'agent-1-a'
  const own = { ...contract, agent_id, instance_of: AGENT, effective_until: ends_at }
  const contract_hash = computeAddress('contract', own, sha256)
  const made = { action: 'spawn', contract: own, contract_hash, of: contractHash, occasion }
  for (const isSent of [true, false]) {
    const builder = begun()
    const params = { class: AGENT, instance_id: agent_id, until: occasion.until }
    const waiting = accept(builder, open(builder), { policy_kind: 'SPAWN_INSTANCE', params })
    if (isSent) carryOut(builder, waiting)
    builder.decree('contract', made, builder.kernel)
    assert.deepEqual(await found(builder), isSent ? [] : last(builder))
  }
})

test('AUTHORITY_ORDER: something is done in a flow that was never opened', async () => {
  const builder = begun()
  const body = writBody(builder)
  const writ = computeAddress('writ', body, sha256)
  const signed = { id: writ, body, signature: { ...builder.issuer.sign('writ', body) } }
  builder.append('main', 'writ', { salt: 'c2FsdA==', writ: signed }, { dfid: DFID })
  dispatch(builder, writ)
  assert.deepEqual(await found(builder), last(builder))
  accept(builder, writ, { step_id: 'step-2' })
  assert.deepEqual((await found(builder)).at(-1), last(builder)[0])
})

test('AUTHORITY_ORDER: a flow is opened twice, or by an entry of another one', async () => {
  const builder = begun()
  open(builder)
  const [first] = builder.entries.slice(-1)
  const payload: JsonObject = JSON.parse(first?.payload ?? '{}')
  builder.append('main', 'writ', payload, { dfid: DFID })
  assert.deepEqual(await found(builder), last(builder))
  const elsewhere = begun()
  elsewhere.append('main', 'writ', payload, { dfid: CHILD })
  assert.deepEqual(await found(elsewhere), last(elsewhere))
})
