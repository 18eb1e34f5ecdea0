import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ROOT } from './shell.ts'
import { groupTests } from './test-groups.ts'

function runGroups(files: readonly string[], long: readonly string[]): readonly string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-groups-'))
  try {
    return groupTests(files, long, folder).map((program) => {
      const urls = [...readFileSync(program.path, 'utf8').matchAll(/import\("(.*?)"\)/g)]
      const run = urls.map(([, url = '']) => relative(ROOT, fileURLToPath(url)))
      assert.deepEqual(program.files, run)
      return run
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every file is run exactly once, alone or in a group, what is long first', () => {
  const kernel = ['kernel/src/a.test.ts', 'kernel/src/b.test.ts']
  const engine = Array.from({ length: 20 }, (_, n) => `runtime/src/engine/${n}.test.ts`)
  const long = ['scripts/docs.test.ts', 'sim/src/absent.test.ts']
  const alone = ['tidy.test.ts', ...long.slice(0, 1), 'server/src/cli/launcher.test.ts']
  const run = runGroups([...alone, ...engine, ...kernel], long)
  assert.deepEqual(run[0], ['scripts/docs.test.ts'])
  assert.deepEqual(run.flat().toSorted(), [...alone, ...engine, ...kernel].toSorted())
  for (const file of alone)
    assert.deepEqual(
      run.find((group) => group.includes(file)),
      [file],
    )
  assert.equal(run.length, alone.length + 2, `${run.length} programs`)
})

test('groups are of about the same work, where a long file is as many short ones', () => {
  const files = Array.from({ length: 150 }, (_, n) => `sim/src/${100 + n}.test.ts`)
  assert.deepEqual(
    runGroups(files, []).map(({ length }) => length),
    [75, 75],
  )
  const [first = [], second = []] = runGroups(files, files.slice(0, 3))
  assert.deepEqual(
    [first, second].map(({ length }) => length),
    [54, 96],
  )
  assert.ok(files.slice(0, 3).every((file) => first.includes(file)))
})
