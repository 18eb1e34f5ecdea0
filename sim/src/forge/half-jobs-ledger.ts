/**
 * An honest ledger of jobs that were half done: one is undone as its chooser wants, one a person puts right
 * by hand, one a person leaves as it is. The forger knows its keys.
 */
import { type Capability, type Flow, NotApplied, type Runtime } from 'rubicon-runtime'
import { buildContract } from '../../../server/src/demo/contract.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

const CHOOSER = 'dispatcher'
const MOVER = 'mover'

const PARAMS = {
  type: 'object',
  properties: { crate: { type: 'string' } },
  required: ['crate'],
  additionalProperties: false,
} as const

const LOAD: Capability = {
  kind: 'LOAD',
  effect: 'keyed',
  risk: 'low',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: PARAMS,
  execute: ({ params }) => ({ result: params.crate ?? null }),
  compensate: () => ({}),
}

/** Every delivery is refused. */
const DELIVER: Capability = {
  ...LOAD,
  kind: 'DELIVER',
  execute() {
    throw new NotApplied('nobody is at home')
  },
}

export function makeHalfJobsLedger(rng: Rng): Promise<HonestLedger> {
  const executors = rng.drawChance(0.5) ? 'separate' : 'inline'
  return recordLedger(rng, { capabilities: [LOAD, DELIVER], executors }, async (runtime) => {
    const compensation = ['REVERT']
    await runtime.deploy(buildContract(CHOOSER, ['COMPENSATE']))
    const kinds = buildContract(MOVER, ['LOAD', 'DELIVER'])
    await runtime.deploy({ ...kinds, parent_agent: CHOOSER, compensation })
    const undone = await playHalfJob(runtime, rng)
    const chooser = await runtime.open({ agent: CHOOSER, trigger: 'put it right' })
    await chooser.compensate(undone.dfid, 'REVERT')
    await runtime.engine.context.inFlight.awaitDrained()
    for (const outcome of ['applied', 'abandon'] as const) {
      const { dfid } = await playHalfJob(runtime, rng)
      const by = { by: 'olga', justification: 'called the driver', evidence: {} }
      const settled = await runtime.engine.oversight.resolveDirty(dfid, { outcome, ...by })
      if (!settled.ok) throw new Error(settled.error.summary)
    }
  })
}

/** Two crates are loaded, and not delivered. */
async function playHalfJob(runtime: Runtime, rng: Rng): Promise<Flow> {
  const flow = await runtime.open({ agent: MOVER, trigger: 'two crates', steps: 'many' })
  const crates = [`${rng.drawBelow(1e6)}`, `${rng.drawBelow(1e6)}`]
  for (const [number, crate] of crates.entries()) {
    await flow.propose({ policy_kind: 'LOAD', step_id: `load-${number}`, params: { crate } })
    await runtime.engine.context.inFlight.awaitDrained()
  }
  await flow.propose({ policy_kind: 'DELIVER', step_id: 'deliver', params: { crate: '' } })
  await runtime.engine.context.inFlight.awaitDrained()
  return flow
}
