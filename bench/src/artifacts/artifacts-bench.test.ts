import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runArtifactsBench } from './artifacts-bench.ts'
import type { ArtifactsReport } from './bench-figures.ts'
import { isTiled } from './try-file.ts'

const FILES = {
  'a.ts': `import { clock } from './clock.ts'

/** Says when. */
export class Watch {
  // Kept.
  readonly from = clock()

  read(at: number): number {
    return at - this.from
  } // as it is
}

export interface Shape {
  readonly name: string
}

const limit = (at: number): number => at * 2
export const table = { one: limit(1) }
`,
  'b.d.ts': 'export declare class A {\r\n    a(): void;\r\n}\r\nexport type B = 1;\r\n',
  'c.json': '{\n  "a": { "b": [1, 2] },\n  "c": true\n}\n',
  'd.yml': 'a: 1 # One.\nb:\n  c: two\n  d: [1, 2]\n',
  'e.md': 'Before.\n\n# One\n\nText.\n\n## Two\n\n- a\n- b\n\n# Three\n\nMore.\n',
  'f.js': 'not measured(',
  'g.ts': 'export const a = ;',
  'h.ts': '',
} as const

function run(t: TestContext, seed: number): Promise<ArtifactsReport> {
  const folder = mkdtempSync(join(tmpdir(), 'artifacts-bench-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  return runArtifactsBench({
    ...{ folder, files: 10, seed, peers: false, note: () => {} },
    progressOf: () => ({ tell: () => {}, end: () => {} }),
  })
}

test('edits of a small corpus tile, touch no other line and can be undone', async (t) => {
  for (const seed of [1, 2]) {
    const { files, tiled, edits, formats, skipped, peers } = await run(t, seed)
    assert.deepEqual([files, tiled], [6, 5])
    assert.equal(Object.keys(formats.typescript.unread).length, 1, 'one is no TypeScript')
    assert.deepEqual(skipped, { empty: 1 })
    assert.equal(peers.recast.missing, 'left out')
    const found = JSON.stringify(formats)
    assert.deepEqual([edits.other_lines, edits.not_restored], [0, 0], found)
    assert.ok(edits.applied > 15 && edits.files === 5, found)
    const { tried, applied, not_applied } = formats.typescript.edits.by_op.remove
    const refused = Object.values(not_applied).reduce((sum, one) => sum + one, 0)
    assert.equal(tried, applied + refused, 'what is not done has a reason')
  }
})

test('tiles with a gap, an overlap or a rest do not tile', () => {
  const space = (start: number, end: number) => ({ start, end, kind: 'space' }) as const
  assert.ok(isTiled({ text: 'abc', tiles: [space(0, 1), space(1, 3)] }))
  for (const tiles of [
    [space(0, 1), space(2, 3)],
    [space(0, 2), space(1, 3)],
    [space(0, 2)],
    [space(0, 3), space(3, 3)],
  ])
    assert.ok(!isTiled({ text: 'abc', tiles }))
})
