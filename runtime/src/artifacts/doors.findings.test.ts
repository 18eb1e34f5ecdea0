/** What an agent gets to know of artifacts that its contract does not let it read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { type ArtifactStage, openStage } from './artifact-stage.test-support.ts'

const READS = ['artifact.read', 'artifact.list', 'artifact.symbols']
const WRITES = ['artifact.plan', 'artifact.apply', 'artifact.withdraw']

/** An agent that may read and write what is said, and nothing else. */
async function deployReader(
  it: ArtifactStage,
  read: readonly string[],
  written: readonly string[] = ['src/none.ts'],
): Promise<void> {
  await it.runtime.deploy({
    api_version: 'rubicon/v1',
    kind: 'ResponsibilityContract',
    agent_id: 'eve',
    version: '1.0.0',
    owner: 'jane.doe@example.com',
    effective_from: '2026-01-01',
    role: 'EXECUTOR',
    authority: 'EXECUTE_LIMITED',
    mission: 'Work on one class.',
    permissions: {
      policy_kinds: [...READS, ...WRITES],
      resources: {
        read_symbols: { allow: [...read], applies_to: READS },
        symbols: { allow: [...written], applies_to: WRITES },
      },
    },
  })
}

test('the difference of a plan is in no context, whoever asks for it', async () => {
  const it = await openStage()
  await deployReader(it, ['src/a.ts class:B'])
  const body = { op: 'replaceBody', target: 'class:A/method:two', fragment: '{\n  return 42\n}' }
  const { plan } = await it.plan('ann', [body], ['src/a.ts class:A/method:two'])
  const world = [
    { kind: 'artifact_plan', id: plan },
    { kind: 'artifact', id: 'src/a.ts' },
    { kind: 'artifact_root', id: 'all' },
  ]
  const { context } = await it.open('eve', { world })
  assert.equal(JSON.stringify(context).includes('return 42'), false)
  assert.deepEqual(context.world, [])
  const named = ['artifact.src/a.ts', `artifact_plan.${plan}`, 'artifact_root.all']
  assert.deepEqual((context.trimmed as JsonObject).world, named)
  await it.close()
})
