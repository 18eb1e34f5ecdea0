/** One step, one effect: repeated, argued with, called twice at once, and killed in the middle. */
import { join } from 'node:path'
import type { Answer } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import { createMovableClock, type Scenario, type Stage } from '../../server/src/demo/stage.ts'
import { sendAndDie } from './idempotency-death.ts'
import {
  buildSummaryContract,
  createSummaryCapability,
  listCalls,
  SUMMARY_AGENT,
  SUMMARY_STEP,
} from './summary-provider.ts'

export const scenario: Scenario = { name: 'idempotency', play }

async function play(stage: Stage): Promise<void> {
  const provider = join(stage.folder, 'provider')
  const runtime = await stage.openRuntime({ capabilities: [createSummaryCapability(provider)] })
  await runtime.deploy(buildSummaryContract())
  await repeat(stage, runtime, provider)
  await playRace(stage, runtime, provider)
  await stage.close(runtime)
  await kill(stage, provider)
}

const buildProposal = (temperature: string) => ({
  step_id: SUMMARY_STEP,
  policy_kind: 'GENERATE_SUMMARY',
  params: { temperature },
})

function open(runtime: Runtime, trigger: string): Promise<Flow> {
  return runtime.open({ agent: SUMMARY_AGENT, trigger, steps: 'many' })
}

async function repeat(stage: Stage, runtime: Runtime, provider: string): Promise<void> {
  const flow = await open(runtime, 'the first report')
  const propose = (temperature: string): Promise<Answer> => flow.propose(buildProposal(temperature))
  stage.recordDecision(`${SUMMARY_STEP}, temperature 0.5`, await propose('0.5'), {
    outcome: 'ACCEPTED',
  })
  stage.recordDecision('the same again: the first result', await propose('0.5'), {
    outcome: 'REPEATED',
  })
  stage.recordDecision(
    'the same under a changed context: still the same key',
    await flow.propose({ ...buildProposal('0.5'), context_ref: 'another-snapshot' }),
    { outcome: 'REPEATED' },
  )
  stage.recordDecision('the same step, temperature 0.9', await propose('0.9'), {
    outcome: 'REJECTED',
    reason_code: 'STEP_PARAMS_MISMATCH',
  })
  stage.check('one call so far', listCalls(provider).length === 1)
  const other = await open(runtime, 'the second report')
  stage.recordDecision('a new flow, temperature 0.9', await other.propose(buildProposal('0.9')), {
    outcome: 'ACCEPTED',
  })
}

async function playRace(stage: Stage, runtime: Runtime, provider: string): Promise<void> {
  const flow = await open(runtime, 'the third report')
  const before = listCalls(provider).length
  const both = await Promise.all([
    flow.propose(buildProposal('0.5')),
    flow.propose(buildProposal('0.5')),
  ])
  const [first, second] = both.toSorted((a, b) => a.outcome.localeCompare(b.outcome))
  if (first === undefined || second === undefined) throw new Error('two calls have two answers')
  stage.recordDecision('two calls at once: one of them', first, { outcome: 'ACCEPTED' })
  stage.recordDecision('two calls at once: the other', second, { outcome: 'REPEATED' })
  stage.check('one effect', listCalls(provider).length === before + 1)
}

/** Somebody else sends, and is gone before it can record that it did. */
async function kill(stage: Stage, provider: string): Promise<void> {
  const before = listCalls(provider).length
  const { dfid, isGone } = await sendAndDie(stage, provider)
  stage.check('who sent it is gone between effect and record', isGone)

  const clock = createMovableClock()
  const capabilities = [createSummaryCapability(provider)]
  const runtime = await stage.openRuntime({ capabilities, clock, background: false })
  const engine = await runtime.start()
  const proposeAgain = (): Promise<Answer> =>
    engine.propose(dfid, { dfid, agent_id: SUMMARY_AGENT, ...buildProposal('0.5') })
  stage.check(
    'after the restart its outcome is UNKNOWN',
    (await readStatus(runtime, dfid)) === 'UNKNOWN',
  )
  stage.recordDecision('the same again, while nobody knows: not sent', await proposeAgain(), {
    outcome: 'REJECTED',
    reason_code: 'STEP_IN_FLIGHT',
  })
  clock.ahead(1_000)
  await engine.reconcile()
  stage.check('reconciled by asking the provider', (await readStatus(runtime, dfid)) === 'SUCCESS')
  stage.recordDecision('the same again, afterwards: the first result', await proposeAgain(), {
    outcome: 'REPEATED',
  })
  stage.check('one effect', listCalls(provider).length === before + 1)
  await stage.close(runtime)
}

async function readStatus({ store }: Runtime, dfid: string): Promise<string | undefined> {
  const [row] = await store.listExecutions({ dfid, limit: 1 })
  return row?.status
}
