/** Real ledgers for tampering: made by the engine, exported, small enough to make many of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'
import { type Capability, createRuntime } from 'rubicon-runtime'
import { exportLedger } from '../../../runtime/src/evidence/export-ledger.ts'
import type { Rng } from '../rng.ts'

const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'refunds_bot',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Refund what customers are owed.',
  permissions: {
    policy_kinds: ['REFUND'],
    limits: [
      { id: 'hard', kind: 'range', measure: 'amount', max: '5000.00' },
      { id: 'soft', kind: 'range', measure: 'amount', max: '500.00', on_breach: 'escalate' },
    ],
  },
  // A fifth of what it proposes asks a person: it is not to be stopped for that.
  safety_rules: { escalations_per_hour: 100_000 },
}

const refund: Capability = {
  kind: 'REFUND',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  params: { type: 'object' },
  measures: { amount: (params) => params.amount },
  execute: ({ params, dfid }) => ({
    result: params.amount ?? null,
    delta: [{ op: 'create', kind: 'refund', id: dfid, value: params.amount ?? null }],
  }),
}

const AMOUNTS = ['20.00', '9000.00', '20.00', '700.00', '35.10']

/** The lines of an exported ledger of about `entries` entries; the first is the header. */
export async function makeLedger(rng: Rng, entries: number): Promise<readonly string[]> {
  const state = mkdtempSync(join(tmpdir(), 'rubicon-tamper-'))
  try {
    const runtime = await createRuntime({
      store: 'memory',
      stateDirectory: state,
      capabilities: [refund],
      background: false,
      executors: rng.drawChance(0.5) ? 'separate' : 'inline',
    })
    await runtime.deploy(CONTRACT)
    while ((await runtime.store.countLeaves()) < entries - 2) {
      const flow = await runtime.open({
        agent: 'refunds_bot',
        trigger: `ticket ${rng.drawBelow(1e6)}`,
      })
      const amount = AMOUNTS[rng.drawBelow(AMOUNTS.length)]
      await flow.propose({
        policy_kind: 'REFUND',
        params: { amount },
        justification: 'a customer asked',
      })
    }
    await runtime.engine.checkpoint()
    const lines: string[] = []
    await exportLedger(runtime.store, (line) => void lines.push(line.slice(0, -1)))
    await runtime.close()
    return lines
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}
