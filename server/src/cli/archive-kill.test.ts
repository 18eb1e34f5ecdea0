import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type ArchiveGround,
  type ArchivePlace,
  archiveGround,
  create,
} from './archive-place.test-support.ts'
import { runJson } from './cli.test-support.ts'

const CHILD = fileURLToPath(new URL('archive-kill.test-support.ts', import.meta.url))

let ground: ArchiveGround

before(async () => {
  ground = await archiveGround()
})

function kill({ folder, file }: ArchivePlace, step: string): string | null {
  const args = [CHILD, step, `sqlite:${join(folder, 'rubicon.db')}`, join(folder, 'state'), file]
  return spawnSync(process.execPath, args, { timeout: 60_000 }).signal
}

async function exported({ folder, at }: ArchivePlace, ...rest: string[]): Promise<string> {
  const path = join(folder, 'all.ndjson')
  const { exit, data } = await runJson(['ledger', 'export', path, ...rest, ...at])
  assert.equal(exit, 0, JSON.stringify(data))
  return readFileSync(path, 'utf8')
}

for (const step of ['written', 'checked', 'named', 'moved'])
  test(`killed when it is ${step}, nothing is lost, and the next run goes on`, async () => {
    const it = ground.place()
    const whole = await exported(it)
    assert.equal(kill(it, step), 'SIGKILL')
    const isNamed = step === 'named' || step === 'moved'
    assert.equal(existsSync(it.file), isNamed)
    if (step === 'moved') assert.equal(await exported(it, '--archive', it.file), whole)
    else assert.equal(await exported(it), whole, 'all of it is still in the store')
    const held = isNamed ? readFileSync(it.file, 'utf8') : null
    const { flows, kept } = await create(it)
    assert.ok(flows > 0)
    assert.equal(kept.archived ?? 0, step === 'moved' ? 1 : 0)
    assert.deepEqual(
      readdirSync(it.folder).filter((name) => name.includes('partial')),
      [],
    )
    if (held !== null) assert.equal(readFileSync(it.file, 'utf8'), held)
    assert.equal(await exported(it, '--archive', it.file), whole)
    const { data } = await runJson(['verify', '--archive', it.file, ...it.at])
    assert.deepEqual([data.ok, data.depth], [true, 'fold'])
  })
