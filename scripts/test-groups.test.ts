import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from './shell.ts'
import { groupTests } from './test-groups.ts'

test('every file is run exactly once, alone or in a group, the long ones first', () => {
  const kernel = ['kernel/src/a.test.ts', 'kernel/src/b.test.ts']
  const engine = Array.from({ length: 20 }, (_, n) => `runtime/src/engine/${n}.test.ts`)
  const alone = ['sim/src/storm.test.ts', 'verifier/src/tamper.test.ts', 'scripts/x.test.ts']
  const long = ['verifier/src/tamper.test.ts', 'sim/src/absent.test.ts']
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-groups-'))
  try {
    const run = groupTests([...alone, ...engine, ...kernel], long, folder)
    assert.equal(run[0], join(ROOT, 'verifier/src/tamper.test.ts'))
    const urls = run.flatMap((path) => {
      if (!path.startsWith(folder)) return [pathToFileURL(path).href]
      const lines = readFileSync(path, 'utf8').trim().split('\n')
      return lines.map((line) => JSON.parse(line.slice('await import('.length, -1)) as string)
    })
    const wanted = [...alone, ...engine, ...kernel].map((file) => {
      return pathToFileURL(join(ROOT, file)).href
    })
    assert.deepEqual(urls.toSorted(), wanted.toSorted())
    assert.ok(run.length < 10, `${run.length} processes`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
