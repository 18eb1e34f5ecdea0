import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createOperator, RubiconError } from '../compose.ts'
import { type Example, exampleRuntime } from '../evidence/example.test-support.ts'
import { exportLedger } from '../evidence/export-ledger.ts'

async function started(folder: string): Promise<Example> {
  return exampleRuntime({
    store: `sqlite:${join(folder, 'ledger.db')}`,
    stateDirectory: join(folder, 'state'),
  })
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
  copyFileSync(join(folder, 'backup.db'), join(folder, 'ledger.db'))
  rmSync(join(folder, 'ledger.db-wal'), { force: true })
  rmSync(join(folder, 'ledger.db-shm'), { force: true })
  return folder
}

test('a restored old copy is found at start and left as it is', async () => {
  const folder = await restoredFolder()
  for (let i = 0; i < 2; i++)
    await assert.rejects(started(folder), (error: unknown) => {
      assert.ok(error instanceof RubiconError)
      assert.equal(error.code, 'LEDGER_ROLLBACK')
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

test('a restart finds everything again: rejections, outcomes and the chain', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-restart-'))
  const first = await started(folder)
  const answer = await first.refund('20.00')
  const size = await first.runtime.store.leafCount()
  await first.close()
  const second = await started(folder)
  assert.equal(await second.runtime.store.leafCount(), size)
  const row = await second.runtime.store.flow(answer.dfid)
  assert.equal(row?.state, 'CLOSED')
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})
