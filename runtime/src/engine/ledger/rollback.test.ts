import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeBase64, formatVerifierKey } from 'rubicon-kernel'
import { nodeCrypto, parseTrust, verifyAny } from 'rubicon-verifier'
import { openCheckpointFolder } from '../../adapters/system/checkpoint-file.ts'
import { createOperator, RubiconError } from '../../compose.ts'
import { type Example, exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import type { CheckpointSink } from '../../ports/checkpoint-sink.ts'

async function started(folder: string): Promise<Example> {
  return exampleRuntime({
    store: `sqlite:${join(folder, 'ledger.db')}`,
    stateDirectory: join(folder, 'state'),
  })
}

function putBack(folder: string, copy: string): void {
  copyFileSync(join(folder, copy), join(folder, 'ledger.db'))
  for (const end of ['-wal', '-shm']) rmSync(join(folder, `ledger.db${end}`), { force: true })
}

/** The epoch under which the log goes on. */
async function accept(folder: string, sinks?: readonly CheckpointSink[]): Promise<number> {
  const operator = await createOperator({
    store: `sqlite:${join(folder, 'ledger.db')}`,
    stateDirectory: join(folder, 'state'),
    ...(sinks === undefined ? {} : { sinks }),
  })
  const accepted = await operator.acceptRestore('the disk was lost')
  await operator.stop()
  assert.ok(accepted.ok, JSON.stringify(accepted))
  return accepted.value.epoch
}

/** Starts, refunds, and stops; what somebody would be shown then. */
async function grow(folder: string, ...amounts: readonly string[]): Promise<string> {
  const example = await started(folder)
  for (const amount of amounts) await example.refund(amount)
  await example.runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(example.runtime.store, (line) => void lines.push(line))
  await example.close()
  return lines.join('')
}

/** A ledger whose newest entries were lost because an old copy was put back. */
async function restoredFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-rollback-'))
  const first = await started(folder)
  await first.refund('20.00')
  await first.close()
  copyFileSync(join(folder, 'ledger.db'), join(folder, 'backup.db'))
  const second = await started(folder)
  await second.refund('30.00')
  await second.close()
  putBack(folder, 'backup.db')
  return folder
}

test('a restored old copy is found at start and left as it is', async () => {
  const folder = await restoredFolder()
  for (let i = 0; i < 2; i++)
    await assert.rejects(started(folder), (error: unknown) => {
      assert.ok(error instanceof RubiconError)
      assert.equal(error.code, 'LEDGER_ROLLBACK')
      // Whoever made a clone again in the same folder has nothing to restore, and no loss to sign.
      for (const way of ['restore the newest copy', 'rubicon reset', 'accept-restore'])
        assert.ok(error.failure.fix?.includes(way), way)
      return true
    })
  rmSync(folder, { recursive: true, force: true })
})

test("an operator's signed word opens a new epoch that names what was lost", async () => {
  const folder = await restoredFolder()
  await assert.rejects(started(folder))
  const operator = await createOperator({
    store: `sqlite:${join(folder, 'ledger.db')}`,
    stateDirectory: join(folder, 'state'),
  })
  const accepted = await operator.acceptRestore('the disk of 3 March was lost')
  await operator.stop()
  assert.ok(accepted.ok)
  assert.equal(accepted.value.epoch, 1)
  assert.ok(accepted.value.lost_to > accepted.value.lost_from)
  const again = await started(folder)
  assert.equal((await again.refund('1.00')).outcome, 'ACCEPTED')
  await again.runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(again.runtime.store, (line) => void lines.push(line))
  const report = verifyAny(lines.join(''), nodeCrypto)
  assert.deepEqual(report.findings, [])
  assert.match(report.checkpoint?.origin ?? '', /\/1$/)
  await again.close()
  rmSync(folder, { recursive: true, force: true })
})

test('two histories never have one origin, however often an old copy is put back', async () => {
  const folder = await restoredFolder()
  const epochs: number[] = []
  const origins: (string | undefined)[] = []
  for (const amounts of [['1.00'], ['2.00', '3.00', '4.00'], ['5.00']]) {
    putBack(folder, 'backup.db')
    await assert.rejects(started(folder), { code: 'LEDGER_ROLLBACK' })
    epochs.push(await accept(folder))
    const report = verifyAny(await grow(folder, ...amounts), nodeCrypto)
    assert.deepEqual(report.findings, [])
    origins.push(report.checkpoint?.origin)
  }
  assert.deepEqual(epochs, [1, 2, 3])
  assert.equal(new Set(origins).size, 3)
  rmSync(folder, { recursive: true, force: true })
})

test('a history that was given up never verifies under the key of the one that stands', async () => {
  const folder = await restoredFolder()
  await accept(folder)
  const before = await grow(folder, '40.00', '41.00')
  copyFileSync(join(folder, 'ledger.db'), join(folder, 'newer.db'))
  await grow(folder, '42.00')
  putBack(folder, 'backup.db')
  await accept(folder)
  const lost = await grow(folder, '1.00')
  putBack(folder, 'newer.db')
  await accept(folder)
  const kept = await grow(folder, '2.00')
  const { keys } = JSON.parse(kept.split('\n')[0] ?? '')
  const key = keys.find(({ purpose }: { readonly purpose: string }) => purpose === 'checkpoint')
  const name = verifyAny(kept, nodeCrypto).checkpoint?.origin ?? ''
  const publicKey = decodeBase64(key.public_key) ?? new Uint8Array()
  const text = formatVerifierKey({ name, publicKey }, nodeCrypto.sha256)
  const trust = parseTrust(text, nodeCrypto.sha256)
  assert.ok(trust.ok)
  const strength = (ledger: string): string | null =>
    verifyAny(ledger, nodeCrypto, { trust: trust.value }).strength
  assert.deepEqual([before, lost, kept].map(strength), [null, null, 'trusted'])
  rmSync(folder, { recursive: true, force: true })
})

test('an epoch that any place outside has seen is never used again, whatever else it holds', async () => {
  const folder = await restoredFolder()
  const places = ['state/checkpoints', 'far'].map((name) =>
    openCheckpointFolder(join(folder, name)),
  )
  const [near] = places
  assert.equal(await accept(folder, places), 1)
  const prefix = readdirSync(join(folder, 'far')).map(decodeURIComponent)[0]?.split('/1@')[0] ?? ''
  rmSync(join(folder, 'state/checkpoints'), { recursive: true })
  await near?.save(`${prefix}/0`, (await places[1]?.latestOf(prefix))?.note ?? '')
  await places[1]?.save(`${prefix}/6`, 'what cannot be read')
  putBack(folder, 'backup.db')
  assert.equal(await accept(folder, places), 7)
  await grow(folder, '1.00')
  rmSync(folder, { recursive: true, force: true })
})

test('a restart finds everything again: rejections, outcomes and the chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-restart-'))
  const first = await started(folder)
  const answer = await first.refund('20.00')
  const size = await first.runtime.store.countLeaves()
  await first.close()
  const second = await started(folder)
  assert.equal(await second.runtime.store.countLeaves(), size)
  const row = await second.runtime.store.readFlow(answer.dfid)
  assert.equal(row?.state, 'CLOSED')
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})

test('two processes on two copies do not both go on signing under one name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-rollback-'))
  await grow(folder, '20.00')
  copyFileSync(join(folder, 'ledger.db'), join(folder, 'copy.db'))
  const options = { stateDirectory: join(folder, 'state'), background: false }
  const [one, two] = await Promise.all(
    ['ledger.db', 'copy.db'].map((name) =>
      exampleRuntime({ ...options, store: `sqlite:${join(folder, name)}` }),
    ),
  )
  assert.ok(one !== undefined && two !== undefined)
  for (let i = 0; i < 3; i += 1) await two.refund('5.00')
  await two.runtime.engine.checkpoint()
  await one.refund('7.00')
  await assert.rejects(one.runtime.engine.checkpoint(), /another history of the same log/)
  await assert.rejects(one.refund('1.00'), { code: 'HEAD_MISMATCH' })
  await one.close()
  await two.close()
  rmSync(folder, { recursive: true })
})
