/**
 * Writes the golden ledger of a release: `node scripts/golden.ts VERSION`. It is made once, kept for
 * ever, and must verify and give the same World in every later release.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, createRuntime, type Runtime } from 'rubicon-runtime'
import { branchTrajectory } from '../runtime/src/evidence/branch.ts'
import { exportLedger } from '../runtime/src/evidence/export-ledger.ts'

const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'stock_keeper',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Keep the shelves filled.',
  permissions: {
    policy_kinds: ['ORDER', 'COUNT'],
    limits: [
      { id: 'hard', kind: 'range', measure: 'pieces', max: '500', applies_to: ['ORDER'] },
      {
        id: 'soft',
        kind: 'range',
        measure: 'pieces',
        max: '100',
        on_breach: 'escalate',
        applies_to: ['ORDER'],
      },
    ],
  },
}

const order: Capability = {
  kind: 'ORDER',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: { type: 'object' },
  measures: { pieces: ({ pieces }) => pieces },
  execute: ({ params, dfid }) => ({
    result: { ordered: params.pieces ?? null },
    receipt: `r-${dfid.slice(-4)}`,
    delta: [{ op: 'create', kind: 'order', id: dfid, value: { pieces: params.pieces ?? null } }],
  }),
}

const count: Capability = {
  kind: 'COUNT',
  effect: 'unsafe',
  risk: 'low',
  params: { type: 'object' },
  execute: () => {
    throw new Error('the line went dead')
  },
}

async function play(runtime: Runtime): Promise<void> {
  await runtime.deploy(CONTRACT)
  const ask = async (policy_kind: string, pieces: string): Promise<void> => {
    const flow = await runtime.open({ agent: 'stock_keeper', trigger: `shelf ${pieces}` })
    await flow.propose({ policy_kind, params: { pieces }, justification: 'the shelf is empty' })
  }
  for (const pieces of ['10', '9000', '250', '25.5']) await ask('ORDER', pieces)
  await ask('COUNT', '1')
  const parent = await runtime.open({ agent: 'stock_keeper', trigger: 'plan', steps: 'many' })
  const child = await runtime.open({ agent: 'stock_keeper', trigger: 'step', parent: parent.dfid })
  await child.propose({ policy_kind: 'ORDER', params: { pieces: '3' } })
  const { engine, store } = runtime
  const seq = (await store.listHeads()).find(({ trajectory }) => trajectory === 'main')?.seq ?? 0
  await branchTrajectory(engine, {
    source: { trajectory: 'main', seq },
    name: 'what-if',
    note: 'a try',
  })
  await engine.revoke({ target: 'contract', id: 'stock_keeper', reason: 'the season is over' })
}

async function makeGolden(version: string): Promise<void> {
  const file = fileURLToPath(new URL(`../testdata/golden/${version}.ndjson`, import.meta.url))
  if (existsSync(file))
    throw new Error(`${version} has its golden ledger; it is never written again`)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-golden-'))
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: folder,
    capabilities: [order, count],
    background: false,
  })
  await play(runtime)
  await runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(runtime.store, (line) => void lines.push(line))
  await runtime.close()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(fileURLToPath(new URL('../testdata/golden/', import.meta.url)), { recursive: true })
  writeFileSync(file, lines.join(''))
  console.log(`${file}: ${lines.length - 1} entries`)
}

const [version] = process.argv.slice(2)
if (version === undefined) throw new Error('which version? node scripts/golden.ts VERSION')
await makeGolden(version)
