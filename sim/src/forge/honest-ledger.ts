/** An honest ledger of which the forger knows the keys: passed, asked and refused in turn. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeUtf8, type JsonObject } from 'rubicon-kernel'
import { type Capability, createRuntime } from 'rubicon-runtime'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import {
  createSeededSigner,
  RUNTIME_PURPOSES,
} from '../../../runtime/src/adapters/system/signer.ts'
import { exportLedger } from '../../../runtime/src/evidence/export-ledger.ts'
import { loadCedar } from '../../../runtime/src/policies/load-policy.ts'
import type { Signer } from '../../../runtime/src/ports/signer.ts'
import type { Rng } from '../rng.ts'
import { ForgedLedger } from './forged-ledger.ts'

const CONTRACT: JsonObject = {
  api_version: 'rubicon/v1',
  kind: 'ResponsibilityContract',
  agent_id: 'payer',
  version: '1.0.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-01-01',
  role: 'EXECUTOR',
  authority: 'EXECUTE_LIMITED',
  mission: 'Pay what is owed, and nothing else.',
  permissions: {
    policy_kinds: ['PAY'],
    currencies: ['USD', 'EUR', 'CHF'],
    limits: [
      { id: 'hard', kind: 'range', measure: 'amount', min: '0.01', max: '500.00' },
      { id: 'soft', kind: 'range', measure: 'amount', max: '100.00', on_breach: 'escalate' },
    ],
  },
  safety_rules: {
    min_confidence_threshold: '0.6',
    // Nobody is stopped for being refused or for asking.
    rejections_per_hour: 1_000_000,
    escalations_per_hour: 1_000_000,
    budget_per_flow: { calls: '3', usd: '600.00' },
  },
}

const PAY: Capability = {
  kind: 'PAY',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: {
      to: { type: 'string', maxLength: 64 },
      amount: { type: 'string', maxLength: 32 },
      currency: { type: 'string', maxLength: 3 },
    },
    required: ['to', 'amount', 'currency'],
    additionalProperties: false,
  },
  scopes: { currencies: '/currency' },
  measures: { amount: ({ amount }) => amount },
  costOf: ({ amount }) => ({ usd: String(amount) }),
  resources: ({ to }) => [{ id: `account:${String(to)}`, amount: '1' }],
  execute: ({ params }) => ({ result: params.amount ?? null, receipt: 'paid' }),
}

const CEDAR = `@id("francs") forbid(principal, action, resource)
when { context.params.currency == "CHF" };`

const AMOUNTS = ['20.00', '35.10', '900.00', '20.00', '200.00', '7.50']

export type HonestLedger = { readonly ledger: ForgedLedger; readonly signer: Signer }

export async function makeHonestLedger(rng: Rng, flows: number): Promise<HonestLedger> {
  const state = mkdtempSync(join(tmpdir(), 'rubicon-forge-'))
  const cedar = loadCedar({ name: 'francs', version: '1', text: CEDAR }, sha256)
  if (!cedar.ok) throw new Error(cedar.error.summary)
  const signer = createSeededSigner(
    sha256(encodeUtf8(`forger ${rng.drawBelow(1e9)}`)),
    RUNTIME_PURPOSES,
  )
  try {
    const runtime = await createRuntime({
      store: 'memory',
      stateDirectory: state,
      signer,
      capabilities: [PAY],
      policies: [
        cedar.value,
        {
          name: 'named-payee',
          version: '1',
          source: { kind: 'unpinned' },
          evaluate: ({ proposal }) => ({
            decision: proposal.params.to === '' ? { kind: 'deny', reason: 'no payee' } : null,
          }),
        },
      ],
      background: false,
      executors: rng.drawChance(0.3) ? 'separate' : 'inline',
    })
    await runtime.deploy(CONTRACT)
    // Every amount comes, wherever they begin.
    const shift = rng.drawBelow(AMOUNTS.length)
    for (let index = 0; index < flows; index++) {
      const flow = await runtime.open({ agent: 'payer', trigger: `invoice ${index}` })
      const amount = AMOUNTS[(index + shift) % AMOUNTS.length] ?? '20.00'
      await flow.propose({
        policy_kind: 'PAY',
        params: { to: `payee-${rng.drawBelow(1e6)}`, amount, currency: 'USD' },
        confidence: 0.9,
        justification: 'an invoice is due',
      })
    }
    await runtime.engine.checkpoint()
    const lines: string[] = []
    await exportLedger(runtime.store, (line) => void lines.push(line))
    await runtime.close()
    return { ledger: ForgedLedger.parse(lines), signer }
  } finally {
    rmSync(state, { recursive: true, force: true })
  }
}
