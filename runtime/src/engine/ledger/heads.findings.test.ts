/**
 * Somebody who can write to the database, and holds no key, changes what happened: as thoroughly as the
 * format allows, with ids, chains, tiles and rows that fit one another.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import {
  buildHeadBody,
  computeEntryId,
  computeTreeRoot,
  deriveHeadKeyId,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  hashLeaf,
  hashPayload,
  type JsonObject,
  toCanonicalText,
  toLeafInput,
  toPayloadType,
  toSignedBytes,
} from 'rubicon-kernel'
import { parseEntry } from '../../adapters/sqlite/rows.ts'
import { toRawPublicKey } from '../../adapters/system/ed25519.ts'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createOperator, RubiconError, type RuntimeOptions } from '../../compose.ts'
import { type Example, exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { LeafEntry } from '../../ports/store.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'

/** Without notes elsewhere, so that the head alone has to tell. */
function optionsIn(folder: string): RuntimeOptions {
  const store = `sqlite:${join(folder, 'ledger.db')}`
  return { store, stateDirectory: join(folder, 'state'), sinks: [] }
}

async function filled(refunds = 2): Promise<string> {
  const folder = temporaryFolder()
  const example = await exampleRuntime(optionsIn(folder))
  for (let i = 0; i < refunds; i += 1) await example.refund('20.00')
  assert.equal((await example.refund('900.00')).outcome, 'REJECTED')
  await example.close()
  return folder
}

function openBehindItsBack<T>(folder: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(folder, 'ledger.db'))
  try {
    const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all()
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`)
    return work(database)
  } finally {
    database.close()
  }
}

function entriesOf(database: DatabaseSync): LeafEntry[] {
  return database.prepare('SELECT * FROM entries ORDER BY leaf').all().map(parseEntry)
}

/** Changes what one kind of entry says, and everything that follows from it: ids, parents, heads, tiles. */
function rewrite(
  database: DatabaseSync,
  kind: string,
  change: (payload: JsonObject) => JsonObject,
): number {
  const ids = new Map<string, string>()
  let changed = 0
  const put = database.prepare(
    `UPDATE entries SET payload = ?, packed = NULL, payload_hash = ?, parent = ?, id = ?
      WHERE leaf = ?`,
  )
  const entries = entriesOf(database)
  for (const { envelope, id, payload, leaf } of entries) {
    const isMeant = envelope.kind === kind && payload !== null
    const text = isMeant ? toCanonicalText(change(JSON.parse(payload))) : (payload ?? '')
    if (text !== payload) changed += 1
    const parent = envelope.parent === null ? null : (ids.get(envelope.parent) ?? envelope.parent)
    const next = { ...envelope, parent: parent as typeof envelope.parent }
    const now = computeEntryId({ ...next, payload_hash: hashPayload(text, sha256) }, sha256)
    ids.set(id, now)
    put.run(text, hashPayload(text, sha256), parent, now, leaf)
  }
  for (const [before, now] of ids)
    database.prepare('UPDATE trajectories SET id = ? WHERE id = ?').run(now, before)
  rewriteTiles(database)
  return changed
}

function rewriteTiles(database: DatabaseSync): void {
  const leaves = entriesOf(database).map(({ id }) => hashLeaf(toLeafInput(id), sha256))
  database.exec('DELETE FROM tiles')
  for (let n = 0; (n + 1) * 256 <= leaves.length; n += 1) {
    const hash = computeTreeRoot(leaves.slice(n * 256, (n + 1) * 256), sha256)
    database.prepare("INSERT INTO tiles VALUES ('default', ?, ?)").run(n, hash)
  }
}

/** Everything in the store that a key of ours has signed about the tree. */
function signedIn(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'ledger.db'), { readOnly: true })
  const notes = database.prepare('SELECT * FROM checkpoints').all()
  const heads = database.prepare('SELECT * FROM tree_heads').all()
  database.close()
  return { notes, heads }
}

async function assertRefused(folder: string, code = 'HEAD_MISMATCH'): Promise<void> {
  const before = signedIn(folder)
  for (let i = 0; i < 2; i += 1)
    await assert.rejects(exampleRuntime(optionsIn(folder)), (error: unknown) => {
      assert.ok(error instanceof RubiconError, String(error))
      assert.equal(error.code, code)
      return true
    })
  assert.deepEqual(signedIn(folder), before, 'nothing was signed')
}

const larger = (payload: JsonObject): JsonObject => {
  return JSON.parse(toCanonicalText(payload).replaceAll('20.00', '90.00'))
}

test('finding 14a: a start over commits that were rewritten with all their ids signs nothing', async () => {
  const folder = await filled()
  assert.equal(
    openBehindItsBack(folder, (database) => rewrite(database, 'commit', larger)),
    2,
  )
  await assertRefused(folder)
})

test('finding 14a: a ledger that was rewritten with its tiles is not taken for the signed one', async () => {
  const folder = await filled(90)
  openBehindItsBack(folder, (database) => {
    assert.ok(entriesOf(database).length > 256)
    rewrite(database, 'commit', larger)
  })
  await assertRefused(folder)
})

test('finding 14b: a rejection that was made an other one is not signed at the next start', async () => {
  const folder = await filled()
  const milder = (payload: JsonObject): JsonObject => ({ ...payload, reason_code: 'OVERLOADED' })
  assert.equal(
    openBehindItsBack(folder, (database) => rewrite(database, 'rejection', milder)),
    1,
  )
  await assertRefused(folder)
})

test('finding 14b: a rejection whose text alone was changed does not pass a start', async () => {
  const folder = await filled()
  openBehindItsBack(folder, (database) => {
    database.exec(`UPDATE entries SET packed = NULL, payload = replace(
      (SELECT l.payload FROM ledger l WHERE l.row = entries.row), '900.00', '9.00')
      WHERE kind = 'rejection'`)
  })
  await assertRefused(folder)
})

test('finding 14c: what the tree is taken up from cannot be changed between two starts', async () => {
  const folder = await filled(90)
  openBehindItsBack(folder, (database) => {
    const hash = new Uint8Array(32).fill(7)
    assert.equal(
      database.prepare('UPDATE tiles SET hash = ? WHERE number = 0').run(hash).changes,
      1,
    )
  })
  await assertRefused(folder)
})

test('finding 14c: a head that is gone, older or of a key of somebody else does not hold', async () => {
  for (const change of [removeHead, shrinkHead, forgeHead]) {
    const folder = await filled()
    openBehindItsBack(folder, change)
    await assertRefused(folder)
  }
})

function removeHead(database: DatabaseSync): void {
  database.exec('DELETE FROM tree_heads')
}

/** The last entry is gone; the head still tells of it. */
function shrinkHead(database: DatabaseSync): void {
  database.exec('DELETE FROM entries WHERE leaf = (SELECT max(leaf) FROM entries)')
}

/** A checkpoint key of his own stands in the ledger, and certifies a head over what he wrote. */
function forgeHead(database: DatabaseSync): void {
  const checkpoint = generateKeyPairSync('ed25519').privateKey
  const own = generateKeyPairSync('ed25519').privateKey
  const signed = (type: string, body: unknown, key = checkpoint): string => {
    const text = encodeUtf8(toCanonicalText(body as JsonObject))
    return encodeBase64(sign(null, encodePreAuth(toPayloadType(type), text), key))
  }
  const entries = entriesOf(database)
  const last = entries.findLast(({ envelope }) => envelope.trajectory === 'authority')
  assert.ok(last !== undefined)
  const known = entries.find(({ payload }) => payload?.includes('"purpose":"checkpoint"') === true)
  const public_key = encodeBase64(toRawPublicKey(checkpoint))
  const key_id = 'checkpoint-0123456789abcdef'
  const body = { ...JSON.parse(known?.payload ?? '{}').body, key_id, public_key }
  const signature = { ...JSON.parse(known?.payload ?? '{}').signature }
  const payload = toCanonicalText({ body, possession: signed('key', body), signature })
  const envelope = {
    ...last.envelope,
    kind: 'key' as const,
    seq: last.envelope.seq + 1,
    parent: last.id,
    payload_hash: hashPayload(payload, sha256),
  }
  const id = computeEntryId(envelope, sha256)
  const { v, at, payload_hash, seq, parent } = envelope
  database
    .prepare(`INSERT INTO entries
      (tenant, leaf, trajectory, seq, id, parent, v, kind, at, payload_hash, payload)
      VALUES ('default', ?, 'authority', ?, ?, ?, ?, 'key', ?, ?, ?)`)
    .run(entries.length, seq, id, parent, v, at, payload_hash, payload)
  database
    .prepare("UPDATE trajectories SET seq = ?, id = ? WHERE trajectory = 'authority'")
    .run(seq, id)
  const row = database.prepare('SELECT head FROM tree_heads').get()
  const head = JSON.parse(String(row?.head))
  const leaves = [...entries.map((entry) => entry.id), id].map((one) =>
    hashLeaf(toLeafInput(one), sha256),
  )
  const raw = toRawPublicKey(own)
  const certified = {
    ...head.certificate.body,
    key_id: deriveHeadKeyId(raw, sha256),
    public_key: encodeBase64(raw),
  }
  const root = computeTreeRoot(leaves, sha256)
  const tree = buildHeadBody(head.body.origin, { size: leaves.length, root, authority: seq })
  const forged = {
    body: tree,
    certificate: {
      body: certified,
      signature: {
        key_id,
        sig: encodeBase64(sign(null, toSignedBytes('head-key', certified), checkpoint)),
      },
    },
    signature: {
      key_id: certified.key_id,
      sig: encodeBase64(sign(null, toSignedBytes('head', tree), own)),
    },
  }
  database.prepare('UPDATE tree_heads SET head = ?').run(toCanonicalText(forged))
}

test('finding 14d: what is changed while the runtime runs is not signed, and stops the next start', async () => {
  const folder = await filled()
  const example = await exampleRuntime({ ...optionsIn(folder), background: false })
  const { size, root } = await example.runtime.store.readTree()
  openBehindItsBack(folder, (database) => rewrite(database, 'commit', larger))
  const after = await example.runtime.store.readTree()
  assert.deepEqual([after.size, after.root], [size, root], 'the tree is what this process wrote')
  const { engine } = example.runtime
  await assert.rejects(engine.scrub(), /not those of the tree/)
  await assert.rejects(example.refund('1.00'), /not the one that was signed/)
  await example.close()
  await assertRefused(folder)
})

test('an operator accepts a changed ledger as it is, and the log names what it was', async () => {
  const folder = await filled()
  openBehindItsBack(folder, (database) => rewrite(database, 'commit', larger))
  const { sinks: _, ...options } = optionsIn(folder)
  const operator = await createOperator(options)
  const accepted = await operator.acceptRestore('an intruder changed two amounts')
  await operator.stop()
  assert.ok(accepted.ok, JSON.stringify(accepted))
  assert.equal(accepted.value.epoch, 1)
  assert.match(accepted.value.checkpoint, /\/0\n/)
  const again: Example = await exampleRuntime(options)
  assert.equal((await again.refund('1.00')).outcome, 'ACCEPTED')
  await again.runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(again.runtime.store, (line) => void lines.push(line))
  assert.match(lines[0] ?? '', /"epoch":1/)
  await again.close()
})

test('an operator cannot accept an entry that is not what its hash says', async () => {
  const folder = await filled()
  openBehindItsBack(folder, (database) => {
    database.exec(`UPDATE entries SET packed = NULL, payload = replace(
      (SELECT l.payload FROM ledger l WHERE l.row = entries.row), '20.00', '90.00')
      WHERE kind = 'commit'`)
  })
  const operator = await createOperator(optionsIn(folder))
  const accepted = await operator.acceptRestore('it does not matter')
  await operator.context.store.close()
  assert.equal(accepted.ok ? 'ok' : accepted.error.code, 'HEAD_MISMATCH')
  await assertRefused(folder)
})

test('finding 14e: an older copy that is put back is found without any checkpoint', async () => {
  const folder = await filled()
  copyFileSync(join(folder, 'ledger.db'), join(folder, 'copy.db'))
  const example = await exampleRuntime(optionsIn(folder))
  await example.refund('30.00')
  await example.close()
  copyFileSync(join(folder, 'copy.db'), join(folder, 'ledger.db'))
  await assertRefused(folder, 'LEDGER_ROLLBACK')
})

/** The words are gone, and every hash still fits. */
function takeOut(where: string): (database: DatabaseSync) => void {
  return (database) => {
    const { changes } = database
      .prepare(`UPDATE entries SET payload = NULL, packed = NULL WHERE ${where}`)
      .run()
    assert.ok(Number(changes) > 0)
  }
}

test('a suspension is not lifted by taking its words out of the database', async () => {
  const folder = await filled()
  const example = await exampleRuntime(optionsIn(folder))
  const move = { agent_id: 'refunds_bot', to: 'SUSPENDED', actor: 'operator' } as const
  assert.ok((await example.runtime.engine.moveAgent({ ...move, justification: 'stop' })).ok)
  await example.close()
  openBehindItsBack(
    folder,
    takeOut("seq = (SELECT max(seq) FROM entries WHERE kind = 'lifecycle') AND kind = 'lifecycle'"),
  )
  await assertRefused(folder)
})

test('words that no erasure names are missed at the next start, by a scrub and by an operator who accepts', async () => {
  const folder = temporaryFolder()
  const example = await exampleRuntime({ ...optionsIn(folder), background: false })
  const [{ dfid }] = [await example.refund('20.00'), await example.refund('20.00')]
  const request = { dfid, reason: 'asked for by the customer' }
  assert.ok((await example.runtime.engine.oversight.erase(request)).ok)
  await example.runtime.engine.scrub()
  await example.close()
  const again = await exampleRuntime({ ...optionsIn(folder), background: false })
  openBehindItsBack(folder, takeOut("kind = 'commit'"))
  await assert.rejects(again.runtime.engine.scrub(), /no erasure names it/)
  await again.close()
  await assertRefused(folder)
  const operator = await createOperator(optionsIn(folder))
  const accepted = await operator.acceptRestore('it does not matter')
  await operator.context.store.close()
  assert.equal(accepted.ok ? 'ok' : accepted.error.code, 'HEAD_MISMATCH')
})
