import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import {
  type ArtifactStage,
  assertApplied,
  CLASS_A,
  FILES,
  findRefusal,
  openStage,
} from './artifact-stage.test-support.ts'

async function ask(it: ArtifactStage, kind: string, params: JsonObject): Promise<JsonObject> {
  const answer = await it.propose('ann', kind, params)
  assertApplied(answer)
  const result = (answer.execution?.result ?? {}) as JsonObject
  assert.equal(result.data_of, 'project')
  assert.equal(JSON.stringify(result).includes(it.folder), false, 'nothing of the machine')
  return result
}

test('artifacts are listed below a prefix, a page at a time', async () => {
  const it = await openStage()
  const first = await ask(it, 'artifact.list', { below: 'src/', limit: 2 })
  assert.deepEqual(
    (first.artifacts as { name: string }[]).map(({ name }) => name),
    ['src/a.ts', 'src/log.ts'],
  )
  const rest = await ask(it, 'artifact.list', { below: 'src/', after: String(first.next) })
  assert.equal((rest.artifacts as unknown[]).length, Object.keys(FILES).length - 2)
  assert.equal(rest.next, null)
  await it.close()
})

test('symbols and the text of one are read; the whole file where no symbol is named', async () => {
  const it = await openStage()
  const { symbols } = await ask(it, 'artifact.symbols', { symbol: 'src/a.ts class:A' })
  assert.deepEqual(
    (symbols as { path: string }[]).map(({ path }) => path),
    ['class:A/method:one', 'class:A/method:two'],
  )
  const one = await ask(it, 'artifact.read', { symbol: 'src/a.ts class:A/method:one' })
  assert.match(String(one.text), /^\s*one\(\): number \{\n\s+return 1\n\s+\}\s*$/)
  assert.equal((await ask(it, 'artifact.read', { symbol: 'src/a.ts' })).text, CLASS_A)
  for (const symbol of ['src/none.ts', '../outside.ts', '/etc/passwd'])
    assert.equal(
      findRefusal(await it.propose('ann', 'artifact.read', { symbol })),
      'ARTIFACT_UNKNOWN',
    )
  await it.close()
})

test('a long text is read in parts that give the whole, none of them longer than an answer may be', async () => {
  const long = `export const text = '${'é😀\\n'.repeat(20_000)}'\n`
  const it = await openStage({ files: { 'src/long.ts': long } })
  let read = ''
  let parts = 0
  for (let offset: number | null = 0; offset !== null; parts += 1) {
    const part = await ask(it, 'artifact.read', { symbol: 'src/long.ts', offset })
    assert.ok(String(part.text).length <= 32_768)
    read += String(part.text)
    offset = part.next as number | null
  }
  assert.equal(read, long)
  assert.ok(parts > 1)
  await it.close()
})

test('what may be read is what the contract names as readable', async () => {
  const it = await openStage()
  await it.runtime.deploy({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: 'eve',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Read one class.',
    permissions: {
      policy_kinds: ['artifact.read', 'artifact.list', 'artifact.symbols'],
      resources: { read_symbols: ['src/a.ts class:B', 'src/a.ts class:B/*'] },
    },
  })
  const read = (symbol: string) => it.propose('eve', 'artifact.read', { symbol })
  assertApplied(await read('src/a.ts class:B'))
  for (const symbol of ['src/a.ts', 'src/a.ts class:A', 'src/log.ts'])
    assert.equal(findRefusal(await read(symbol)), 'RESOURCE_SCOPE')
  assert.equal(
    findRefusal(await it.propose('eve', 'artifact.list', { below: '' })),
    'RESOURCE_SCOPE',
  )
  await it.close()
})
