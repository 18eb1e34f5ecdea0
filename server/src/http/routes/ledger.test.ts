/** The routes of an auditor: find, show, prove, take away. */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  type Address,
  computeAddressOfText,
  type DeltaOp,
  decodeBase64,
  encodeBase64,
  hashLeaf,
  LIMITS,
  toLeafInput,
  verifyConsistency,
  verifyInclusion,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import type { Capability } from '../../../../runtime/src/ports/capability.ts'
import { refundCapability } from '../../demo/refunds.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import {
  AGENT,
  freshKey,
  get,
  post,
  problemOf,
  type Served,
  served,
} from '../served.test-support.ts'
import { SharedTurns } from '../turns/shared-turns.ts'

const { sha256 } = nodeCrypto

type Place = Served & { readonly auditor: HttpPlace; readonly dfids: readonly string[] }

/** Three flows: one that commits, one that is rejected, one that commits. */
async function played(t: TestContext): Promise<Place> {
  const place = await served(t, { capabilities: [{ ...refundCapability([]), execute: refunded }] })
  const agent = await place.agent()
  const dfids: string[] = []
  for (const [order, amount] of [
    ['o_1', '20.00'],
    ['o_2', '90000.00'],
    ['o_3', '30.00'],
  ]) {
    const flow = await place.open(agent)
    await place.propose(agent, flow, { params: { order, amount } })
    dfids.push(flow.dfid)
  }
  return { ...place, auditor: place.person('ann', 'auditor'), dfids }
}

/** A resource for each order, and one that counts them. */
const refunded: Capability['execute'] = ({ params: { order, amount = null } }) => {
  const id = String(order)
  const counter: DeltaOp =
    id === 'o_1'
      ? { op: 'create', kind: 'counter', id: 'refunds', value: '1' }
      : { op: 'increment', kind: 'counter', id: 'refunds', by: '1' }
  return {
    result: { refunded: amount },
    delta: [{ op: 'create', kind: 'refund', id, value: { amount } }, counter],
  }
}

async function found(place: Place, q: string): Promise<readonly (readonly [string, string])[]> {
  const path = `/v1/ledger/entries?q=${encodeURIComponent(q)}`
  const { status, body } = await get(place.auditor, path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.entries.map((entry: { kind: string; dfid: string }) => [entry.kind, entry.dfid])
}

test('entries are found by what they are, alone and together, newest first', async (t) => {
  const place = await played(t)
  const [first = '', second = '', third = ''] = place.dfids
  assert.deepEqual(await found(place, 'rejection'), [['rejection', second]])
  assert.deepEqual(await found(place, `code:LIMIT_EXCEEDED agent:${AGENT}`), [
    ['rejection', second],
  ])
  assert.deepEqual(await found(place, 'kind:commit'), [
    ['commit', third],
    ['commit', first],
  ])
  assert.deepEqual(
    (await found(place, first)).map(([kind]) => kind),
    ['commit', 'dispatch', 'writ'],
  )
  assert.deepEqual(await found(place, `${first} rejection`), [])
  assert.deepEqual(
    (await found(place, `agent:${AGENT} trajectory:authority`)).map(([kind]) => kind),
    ['lifecycle', 'lifecycle', 'contract'],
  )
})

test('a page follows the other, and a made-up cursor is told to be none', async (t) => {
  const place = await played(t)
  const whole = (await get(place.auditor, '/v1/ledger/entries')).body.entries
  const pages: unknown[] = []
  for (let next = ''; ; ) {
    const { body } = await get(place.auditor, `/v1/ledger/entries?limit=3${next}`)
    pages.push(...body.entries)
    if (body.next === null) break
    next = `&cursor=${body.next}`
  }
  assert.deepEqual(pages, whole)
  const cursor = Buffer.from('["x"]').toString('base64url')
  const made = await get(place.auditor, `/v1/ledger/entries?cursor=${cursor}`)
  assert.deepEqual(problemOf(made), [422, 'SCHEMA_INVALID'])
  const strange = await get(place.auditor, '/v1/ledger/entries?q=hello')
  assert.deepEqual(problemOf(strange), [400, 'QUERY_UNREADABLE'])
})

test('an entry is shown with the texts that were hashed, and found by its id', async (t) => {
  const place = await played(t)
  const { body: list } = await get(place.auditor, '/v1/ledger/entries?q=kind:commit')
  const { leaf, id } = list.entries[0]
  await place.runtime.engine.checkpoint()
  const { status, body } = await get(place.auditor, `/v1/ledger/entries/${leaf}`)
  assert.equal(status, 200)
  const { envelope, payload } = body.hashed
  assert.equal(computeAddressOfText('entry', envelope.text, sha256), id)
  assert.equal(computeAddressOfText('payload', payload.text, sha256), payload.hash)
  assert.deepEqual([envelope.domain, payload.domain], ['rubicon/entry/v1', 'rubicon/payload/v1'])
  assert.equal(body.before.id, body.entry.parent)
  assert.equal(body.entry.payload.settled_by, 'answer')
  const { body: before } = await get(place.auditor, `/v1/ledger/entries/${body.before.leaf}`)
  assert.equal(before.after.id, id)
  assertProven(body.proof)
  const short = id.slice(0, 17)
  const { body: byId } = await get(place.auditor, `/v1/ledger/entries?q=${short}`)
  assert.deepEqual(
    byId.entries.map((entry: { id: string }) => entry.id),
    [id],
  )
  for (const other of ['99999', 'x', '-1'])
    assert.deepEqual(problemOf(await get(place.auditor, `/v1/ledger/entries/${other}`)), [
      404,
      'ENTRY_UNKNOWN',
    ])
})

type Proof = {
  readonly leaf: number
  readonly id: Address
  readonly inclusion: readonly string[]
  readonly checkpoint: { readonly size: number; readonly root: string }
}

function bytes(text: string): Uint8Array {
  return decodeBase64(text) ?? assert.fail('it is base64')
}

function assertProven({ leaf, id, inclusion, checkpoint }: Proof): void {
  const claim = {
    leafIndex: leaf,
    treeSize: checkpoint.size,
    leafHash: hashLeaf(toLeafInput(id), sha256),
    proof: inclusion.map(bytes),
    root: bytes(checkpoint.root),
  }
  assert.ok(verifyInclusion(claim, sha256))
}

test('an entry is proven to stand in the log, and the log to go on from an earlier one', async (t) => {
  const place = await played(t)
  const { body: earlier } = await get(place.auditor, '/v1/checkpoints/latest')
  assert.match(earlier.note, /^rubicon\/default\/operator-/)
  assert.ok(earlier.verifier_key.startsWith(`${earlier.origin}+`))
  const agent = await place.agent()
  await place.open(agent)
  const path = '/v1/trajectories/main/proofs?seq=2'
  const { body } = await get(place.auditor, `${path}&before=${earlier.size}`)
  assertProven(body)
  assert.ok(body.checkpoint.size > earlier.size)
  const claim = {
    size1: earlier.size,
    size2: body.checkpoint.size,
    root1: bytes(earlier.root),
    root2: bytes(body.checkpoint.root),
    proof: body.consistency.proof.map(bytes),
  }
  assert.ok(verifyConsistency(claim, sha256))
  assert.equal(encodeBase64(claim.root1), earlier.root)
  const beyond = await get(place.auditor, `${path}&before=100000`)
  assert.deepEqual(problemOf(beyond), [409, 'CHECKPOINT_UNKNOWN'])
  const none = await get(place.auditor, '/v1/trajectories/main/proofs?seq=4000')
  assert.deepEqual(problemOf(none), [404, 'ENTRY_UNKNOWN'])
})

test('the export is the file that the command writes, whole and by ranges', async (t) => {
  const place = await played(t)
  const { body: whole, headers } = await get(place.auditor, '/v1/ledger/export')
  assert.match(headers.get('content-disposition') ?? '', /filename="ledger.ndjson"/)
  const lines: string[] = []
  await exportLedger(place.runtime.store, (line) => void lines.push(line))
  assert.equal(whole, lines.join(''))
  assert.deepEqual(verifyAny(whole, nodeCrypto).findings, [])
  let text = (await get(place.auditor, '/v1/ledger/export?limit=0')).body
  for (let from = 0; from < lines.length - 1; from += 4)
    text += (await get(place.auditor, `/v1/ledger/export?from=${from}&limit=4`)).body
  assert.equal(text, whole)
  assert.equal((await get(place.auditor, '/v1/ledger/export?from=100000')).body, '')
})

test('a download reads as much of the ledger at a time as a verifier does', async (t) => {
  const place = await played(t)
  for (let i = 0; i < LIMITS.downloadEntries / 2; i += 1)
    await place.runtime.open({ agent: 'refunds_bot', trigger: 'one more' })
  const turns = t.mock.method(SharedTurns.prototype, 'take')
  const { body } = await get(place.auditor, '/v1/ledger/export?from=0')
  const pages = Math.ceil(body.trim().split('\n').length / LIMITS.downloadEntries)
  assert.ok(pages > 1)
  // To prepare it, and to find that there are no more.
  assert.equal(turns.mock.callCount(), pages + 2)
})

test('a bundle that is downloaded verifies with nothing else', async (t) => {
  const place = await played(t)
  const { body } = await get(place.auditor, `/v1/bundles/${place.dfids[0]}`)
  const report = verifyAny(body, nodeCrypto)
  assert.deepEqual(report.findings, [])
  assert.ok(report.entries > 5)
  const none = await get(place.auditor, '/v1/bundles/019c1200-0000-7000-8000-000000000000')
  assert.deepEqual(problemOf(none), [404, 'FLOW_UNKNOWN'])
})

test('a trajectory is listed and read, newest first, and branched by an operator', async (t) => {
  const place = await played(t)
  const operator = place.person('otto', 'operator')
  const branch = { seq: 3, name: 'what-if', note: 'to see' }
  const path = '/v1/trajectories/main/branches'
  const headers = freshKey()
  const made = await post(operator, path, { body: branch, headers })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const again = await post(operator, path, { body: branch, headers: freshKey() })
  assert.deepEqual(problemOf(again), [409, 'TRAJECTORY_EXISTS'])
  const none = await post(operator, path, { body: { seq: 900, name: 'x' }, headers: freshKey() })
  assert.deepEqual(problemOf(none), [404, 'ENTRY_UNKNOWN'])
  const negative = await post(operator, path, { body: { seq: -1, name: 'x' }, headers: freshKey() })
  assert.deepEqual(problemOf(negative), [422, 'SCHEMA_INVALID'])
  const auditing = await post(place.auditor, path, { body: branch, headers: freshKey() })
  assert.deepEqual(problemOf(auditing), [403, 'ROLE_MISSING'])

  const { body } = await get(place.auditor, '/v1/trajectories')
  const names = body.trajectories.map((one: { trajectory: string }) => one.trajectory)
  assert.deepEqual(names, ['authority', 'main', 'what-if'])
  assert.deepEqual(body.trajectories[2].forked_from, { trajectory: 'main', seq: 3 })
  const { body: paged } = await get(place.auditor, '/v1/trajectories?limit=2')
  const { body: rest } = await get(place.auditor, `/v1/trajectories?cursor=${paged.next}`)
  assert.deepEqual([...paged.trajectories, ...rest.trajectories], body.trajectories)

  const { body: page } = await get(place.auditor, '/v1/trajectories/main/entries?limit=4')
  const seqs = page.entries.map((entry: { seq: number }) => entry.seq)
  const last = body.trajectories[1].entries - 1
  assert.deepEqual(seqs, [last, last - 1, last - 2, last - 3])
  const entries = `/v1/trajectories/main/entries?cursor=${page.next}`
  assert.equal((await get(place.auditor, entries)).body.entries[0].seq, last - 4)
  const unknown = await get(place.auditor, '/v1/trajectories/nowhere/entries')
  assert.deepEqual(problemOf(unknown), [404, 'TRAJECTORY_UNKNOWN'])
})

test('the World is shown at any entry, with what changed since another', async (t) => {
  const place = await played(t)
  const { body: now } = await get(place.auditor, '/v1/trajectories/main/world')
  assert.equal(now.moment.seq, now.entries - 1)
  const { body: none } = await get(place.auditor, '/v1/trajectories/main/world?at=0')
  assert.deepEqual([none.total, none.root], [0, '0'.repeat(64)])
  const [head] = await place.runtime.store
    .listHeads()
    .then((all) => all.filter((one) => one.trajectory === 'main'))
  assert.equal(now.root, head?.world_root)
  const ids = now.resources.map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`)
  const { body: one } = await get(place.auditor, '/v1/trajectories/main/world?limit=1')
  const { body: two } = await get(place.auditor, `/v1/trajectories/main/world?cursor=${one.next}`)
  assert.deepEqual([...one.resources, ...two.resources], now.resources)

  assert.deepEqual(ids, ['counter refunds', 'refund o_1', 'refund o_3'])
  const [counter, first, third] = now.resources
  const since = first.entry.seq
  const path = `/v1/trajectories/main/world?since=${since}`
  const { body: delta } = await get(place.auditor, path)
  assert.deepEqual(delta.resources, [
    { ...counter, before: { version: 1, value: '1', retracted: false } },
    { ...third, before: null },
  ])
  const { body: refunds } = await get(place.auditor, `${path}&kind=refund`)
  assert.deepEqual(refunds.resources, [{ ...third, before: null }])
  assert.deepEqual(now.kinds, [
    { kind: 'counter', resources: 1 },
    { kind: 'refund', resources: 2 },
  ])
  const backwards = await get(place.auditor, '/v1/trajectories/main/world?at=1&since=2')
  assert.deepEqual(problemOf(backwards), [422, 'SCHEMA_INVALID'])
  const beyond = await get(place.auditor, '/v1/trajectories/main/world?at=100000')
  assert.deepEqual(problemOf(beyond), [404, 'ENTRY_UNKNOWN'])

  const name = 'kind=counter&resource=refunds'
  const { body: history } = await get(place.auditor, `/v1/trajectories/main/changes?${name}`)
  assert.deepEqual(
    history.changes.map(({ seq, dfid, ops }: Changed) => [seq, dfid, ops.map(({ op }) => op)]),
    [
      [third.entry.seq, place.dfids[2], ['increment']],
      [since, place.dfids[0], ['create']],
    ],
  )
  const { body: past } = await get(
    place.auditor,
    `/v1/trajectories/main/changes?${name}&at=${since}`,
  )
  assert.deepEqual(past.changes, history.changes.slice(1))
})

type Changed = { readonly seq: number; readonly dfid: string; readonly ops: readonly DeltaOp[] }

test('agents are shown nothing of the ledger', async (t) => {
  const place = await played(t)
  const agent = await place.agent()
  for (const path of ['/v1/ledger/export', '/v1/ledger/entries', '/v1/trajectories/main/world'])
    assert.deepEqual(problemOf(await get(agent, path)), [403, 'ROLE_MISSING'])
})

test('searches beyond those that can wait are sent away, and leave everything else its answer', async (t) => {
  const { runtime, person } = await served(t)
  const ann = person('ann', 'auditor')
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const leaves = runtime.store.countLeaves.bind(runtime.store)
  t.mock.method(runtime.store, 'countLeaves', async () => {
    await held
    return leaves()
  })
  // One of them alone has fewer that wait.
  const people = [0, 1, 2, 3, 4, 5].map((n) => person(`reader-${n}`, 'auditor'))
  const search = (_: unknown, n: number): Promise<HttpAnswer> =>
    get(people[n % people.length] ?? ann, '/v1/ledger/entries?q=kind:commit')
  const places = LIMITS.pastQuestions + LIMITS.pastQuestionsWaiting
  const asked = Array.from({ length: places + 1 }, search)
  assert.deepEqual(problemOf(await Promise.race(asked)), [503, 'OVERLOADED'])
  assert.equal((await get(ann, '/v1/flows')).status, 200)
  release()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, places)
})
