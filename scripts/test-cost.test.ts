import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { COSTS_VARIABLE, formatCosts, readCosts } from './test-cost.ts'
import { writeGroup } from './test-groups.ts'

test('a file that works is charged, and one that waits beside it in a process is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-cost-'))
  try {
    const files = ['works.test.mjs', 'waits.test.mjs'].map((name) => join(folder, name))
    const [works = '', waits = ''] = files
    const busy =
      'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);'
    const idle = 'await new Promise((resolve) => setTimeout(resolve, 300))'
    const asTest = (body: string): string =>
      `import { test } from 'node:test'\ntest('one', async () => { ${body} })\n`
    writeFileSync(works, asTest(busy))
    writeFileSync(waits, asTest(idle))
    const group = writeGroup(join(folder, 'group.mjs'), files)
    const path = join(folder, 'costs.jsonl')
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env
    const env = { ...environment, [COSTS_VARIABLE]: path }
    const { status } = spawnSync(process.execPath, ['--test', group], { env })
    assert.equal(status, 0)
    const costs = readCosts(path, new Map([[works, 1]]))
    const getCost = (file: string) => costs.find((cost) => cost.file === file)
    assert.deepEqual(
      costs.map(({ cpuMs }) => cpuMs),
      costs.map(({ cpuMs }) => cpuMs).toSorted((a, b) => b - a),
    )
    assert.ok((getCost(works)?.cpuMs ?? 0) >= 250, JSON.stringify(costs))
    assert.equal(getCost(works)?.tests, 1)
    assert.ok((getCost(waits)?.wallMs ?? 0) >= 250, JSON.stringify(costs))
    assert.ok((getCost(waits)?.cpuMs ?? 999) < 250, JSON.stringify(costs))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('costs are a line a file: processor, wall, tests', () => {
  const cost = { file: 'a/src/b.test.ts', cpuMs: 12_345, wallMs: 60_000, tests: 7 }
  assert.equal(formatCosts([cost]), '  12.3 s   60.0 s     7  a/src/b.test.ts\n')
})
