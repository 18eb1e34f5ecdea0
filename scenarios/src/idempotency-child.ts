/** Run by the idempotency scenario: dies between the effect and its record. */
import { writeSync } from 'node:fs'
import { createRuntime } from 'rubicon-runtime/compose'
import { createSummaryCapability, SUMMARY_AGENT, SUMMARY_STEP } from './summary-provider.ts'

const [store = '', stateDirectory = '', provider = ''] = process.argv.slice(2)
const runtime = await createRuntime({
  store,
  stateDirectory,
  capabilities: [createSummaryCapability(provider)],
  failpoints: {
    reach(point) {
      if (point === 'effect.after_send') process.kill(process.pid, 'SIGKILL')
    },
  },
})
const flow = await runtime.open({ agent: SUMMARY_AGENT, trigger: 'a process that will be killed' })
writeSync(1, flow.dfid)
await flow.propose({
  step_id: SUMMARY_STEP,
  policy_kind: 'GENERATE_SUMMARY',
  params: { temperature: '0.5' },
})
