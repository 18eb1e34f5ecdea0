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
    const listUrls = (path: string): readonly string[] =>
      [...readFileSync(path, 'utf8').matchAll(/import\("(.*?)"\)/g)].map(([, url = '']) => url)
    assert.deepEqual(listUrls(run[0] ?? ''), [
      pathToFileURL(join(ROOT, 'verifier/src/tamper.test.ts')).href,
    ])
    const urls = run.flatMap(listUrls)
    const wanted = [...alone, ...engine, ...kernel].map((file) => {
      return pathToFileURL(join(ROOT, file)).href
    })
    assert.deepEqual(urls.toSorted(), wanted.toSorted())
    assert.ok(run.length < 10, `${run.length} processes`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
