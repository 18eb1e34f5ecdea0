import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Rng } from '../../../sim/src/rng.ts'
import { listCorpus } from './corpus.ts'
import { runMergeBench } from './merge-bench.ts'
import { createSplitFigures, trySplits } from './split-versions.ts'

function createFolder(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'merge-bench-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'a.ts'), text)
  return folder
}

const FIRST =
  'export class A {\n  a() {\n    return 1\n  }\n\n  b() {\n    return 1\n  }\n}\n\nexport function f(x: number) {\n  return x\n}\n'
const SECOND = FIRST.replace('return 1', 'return 2')
  .replace('b()', 'b(y = 2)')
  .replace('return x', 'return -x')

test('additions at one place are merged where git conflicts, and hidden conflicts are refused', (t) => {
  const folder = createFolder(t, FIRST)
  const report = runMergeBench({ folder, files: 10, rounds: 1, seed: 1, pairs: 0, note: () => {} })
  const { classes, modules, semantic } = report
  assert.deepEqual(
    [classes.containers, classes.merged, classes.git_merged, classes.wrong],
    [1, 1, 0, 0],
  )
  assert.deepEqual([modules.containers, modules.merged], [1, 1])
  assert.deepEqual(
    [semantic.refused_percent, semantic.rename.seeded, semantic.enum.seeded],
    [100, 2, 1],
  )
})

test('what a version changed, dealt out to two sides, comes together again', (t) => {
  const [from, to] = [createFolder(t, FIRST), createFolder(t, SECOND)]
  const figures = createSplitFigures()
  for (const file of listCorpus(from)) trySplits(file, to, 8, new Rng(1), figures)
  assert.ok(figures.splits > 4)
  assert.deepEqual([figures.merged, figures.wrong], [figures.splits, 0])
})
