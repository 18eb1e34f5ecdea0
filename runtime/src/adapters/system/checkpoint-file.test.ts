import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCheckpointFolder } from './checkpoint-file.ts'

const note = (size: number): string => `rubicon/t/operator-1/0\n${size}\nroot\n\n— sig\n`

test('a checkpoint is kept per origin, never replaced by a smaller one, and the newest epoch is found', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-sink-'))
  const sink = openCheckpointFolder(join(folder, 'checkpoints'))
  assert.equal(await sink.latestOf('rubicon/t/operator-1'), null)
  await sink.save('rubicon/t/operator-1/0', note(5))
  await sink.save('rubicon/t/operator-1/0', note(9))
  await sink.save('rubicon/t/operator-1/0', note(7))
  assert.equal(await sink.latest('rubicon/t/operator-1/0'), note(9))
  await sink.save('rubicon/t/operator-1/10', note(1))
  await sink.save('rubicon/t/operator-1/2', note(3))
  assert.deepEqual(await sink.latestOf('rubicon/t/operator-1'), { epoch: 10, note: note(1) })
  assert.equal(await sink.latestOf('rubicon/t/operator-2'), null)
  rmSync(folder, { recursive: true, force: true })
})
