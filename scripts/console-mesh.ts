/** The company of the demo on the day of an alarm, for pages that a filled store has nothing for: events, atoms, proofs. */
import { createRuntime, type Runtime } from '../runtime/src/compose.ts'
import { raiseAlarm, startWatch } from '../server/src/demo/company/alarm.ts'
import { createCompany, playStory } from '../server/src/demo/company/company.ts'
import { buildCompanyContracts, SUPPORT, TRADER } from '../server/src/demo/company/contracts.ts'
import { buildOffer } from '../server/src/demo/company/everyday.ts'
import { payInvoice } from '../server/src/demo/company/proven.ts'

export async function openConsoleMesh(stateDirectory: string): Promise<Runtime> {
  const company = createCompany()
  const { capabilities, policies, topics, topologies, models } = company
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory,
    capabilities,
    policies,
    topics,
    topologies,
    models,
    sources: company.createSources(Date.now),
    report: () => {},
  })
  await runtime.start()
  for (const contract of buildCompanyContracts()) await runtime.deploy(contract)
  await raiseAlarm(runtime, startWatch(runtime))
  await payInvoice(runtime)
  await playStory(runtime, company, buildOffer(1, '0.05'), async () => {})
  return runtime
}

/** What of it has a page. */
export type KnownMesh = {
  readonly event: string
  readonly proven: string
  readonly settled: string
}

export async function findKnownMesh({ store }: Runtime): Promise<KnownMesh> {
  const flows = await store.listFlows({ limit: 100 })
  const findFlow = (agent: string): string =>
    flows.find(({ agent_id }) => agent_id === agent)?.dfid ?? ''
  const event = flows.find((flow) => flow.event !== null)?.event?.event_id ?? ''
  return { event, proven: findFlow(TRADER), settled: findFlow(SUPPORT) }
}
