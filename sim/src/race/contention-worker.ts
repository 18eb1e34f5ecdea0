/** One process of the contention proof. It does what its parent says, and tells what it was told. */
import { createRuntime, type Flow, type Runtime } from '../../../runtime/src/compose.ts'
import { issueWrit } from '../../../runtime/src/engine/authority/writs.ts'
import type { FromWorker, Job, ToWorker } from './contention.ts'
import { AGENT, buildRacerCapabilities, CONTRACT } from './law.ts'

const answered = Promise.withResolvers<void>()
let runtime: Runtime | undefined
let flows: readonly Flow[] = []
let job: Job | undefined

process.on('message', (message: ToWorker) => {
  void handle(message).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})

async function handle(message: ToWorker): Promise<void> {
  switch (message.say) {
    case 'prepare':
      return tell({ say: 'ready', writ: await prepare(message.job) })
    case 'go':
      return tell({ say: 'asked', ...(await ask(message.writ)) })
    case 'end':
      answered.resolve()
      await runtime?.close()
      return process.exit(0)
  }
}

function tell(message: FromWorker): void {
  process.send?.(message)
}

async function prepare(given: Job): Promise<string> {
  job = given
  const capabilities = buildRacerCapabilities(() =>
    answered.promise.then(() => ({ result: 'done' })),
  )
  const { store, stateDirectory } = given
  runtime = await createRuntime({ store, stateDirectory, capabilities })
  await runtime.deploy(CONTRACT)
  const { open } = runtime
  const triggers = Array.from({ length: given.requests }, (_, i) => `request ${i}`)
  // At once: they share their commits.
  flows = await Promise.all(triggers.map((trigger) => open({ agent: AGENT, trigger })))
  const writ = await issueWrit(runtime.engine.context, { agent: AGENT })
  if (!writ.ok) throw new Error(writ.error.summary)
  return writ.value.id
}

/** All at once. Whoever is let through holds on until everybody has asked. */
async function ask(writ: string): Promise<{ granted: number; refused: readonly string[] }> {
  const proposal =
    job?.against === 'budget'
      ? { policy_kind: 'SPEND', params: {}, writ_id: writ }
      : { policy_kind: 'TAKE', params: {} }
  const answers = await Promise.all(flows.map((flow) => flow.propose(proposal, { waitMs: 0 })))
  const granted = answers.filter(({ outcome }) => outcome === 'ACCEPTED').length
  const refused = answers
    .filter(({ outcome }) => outcome !== 'ACCEPTED')
    .map(({ reason_code = '' }) => reason_code)
  return { granted, refused }
}
