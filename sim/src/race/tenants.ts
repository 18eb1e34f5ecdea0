/**
 * I14: no tenant sees a byte of another. Tenants share a database; each writes its own mark into
 * everything that it can name, and then reads everything that it can ask for.
 */
import { createRuntime, type Runtime } from '../../../runtime/src/compose.ts'
import { AGENT, buildRacerCapabilities, CONTRACT } from './law.ts'
import { makePlace, type RacePlace, type StoreName } from './place.ts'

export type TenantsReport = {
  readonly store: StoreName
  readonly tenants: number
  readonly bytes_read: number
  /** Reads in which the mark of another tenant stood. */
  readonly leaks: readonly string[]
}

const TENANTS = ['tenant-amber', 'tenant-birch', 'tenant-cedar']
const FLOWS = 6
const ALL = 10_000

export async function runTenantsProof(store: Exclude<StoreName, 'memory'>): Promise<TenantsReport> {
  const place = await makePlace(store)
  try {
    // A file has one owner at a time, so there they take turns; twice, so that all find others' rows.
    for (const round of [1, 2]) {
      for (const tenant of TENANTS)
        await use(place, tenant, (runtime) => write(runtime, tenant, round))
    }
    const leaks: string[] = []
    let bytes = 0
    for (const tenant of TENANTS) {
      await use(place, tenant, async (runtime) => {
        for (const [name, answer] of await readAll(runtime)) {
          const text = JSON.stringify(answer)
          bytes += text.length
          const others = TENANTS.filter((other) => other !== tenant && text.includes(other))
          for (const other of others) leaks.push(`${name} of ${tenant} shows ${other}`)
          if (!text.includes(tenant)) leaks.push(`${name} of ${tenant} does not even show itself`)
        }
      })
    }
    return { store, tenants: TENANTS.length, bytes_read: bytes, leaks }
  } finally {
    await place.close()
  }
}

async function use(
  { address, stateDirectory }: RacePlace,
  tenant: string,
  work: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  const runtime = await createRuntime({
    store: address,
    tenant,
    stateDirectory: `${stateDirectory}-${tenant}`,
    capabilities: buildRacerCapabilities(() => ({ result: tenant, receipt: tenant })),
    background: false,
  })
  try {
    await runtime.deploy({ ...CONTRACT, mission: `Work for ${tenant}.` })
    await work(runtime)
  } finally {
    await runtime.close()
  }
}

async function write(runtime: Runtime, tenant: string, round: number): Promise<void> {
  const { store } = runtime
  for (let i = 0; i < FLOWS; i += 1) {
    const flow = await runtime.open({ agent: AGENT, trigger: `${tenant} asks, round ${round}` })
    await flow.propose({ policy_kind: 'SPEND', params: { note: tenant }, justification: tenant })
  }
  // The same names for all of them: only the tenant keeps them apart.
  await store.commit({
    guards: [],
    writes: [
      {
        kind: 'put_record',
        record: 'agent_state',
        group: 'agents',
        key: AGENT,
        body: { value: tenant, updated_at: '2026-01-01T00:00:00.000Z' },
      },
    ],
  })
  await runtime.engine.checkpoint()
}

async function readAll({ store }: Runtime): Promise<readonly (readonly [string, unknown])[]> {
  const flows = await store.listFlows({ limit: ALL })
  const [first] = flows
  return [
    ['flows', flows],
    ['executions', await store.listExecutions({ limit: ALL })],
    ['leaves', await store.listLeaves(0, ALL)],
    ['entries of main', await store.listEntries('main', 0, ALL)],
    ['entries of a flow', await store.listFlowEntries(first?.dfid ?? '')],
    ['records', await store.listRecords('agent_state', 'agents', { limit: ALL })],
    ['record', await store.readRecord('agent_state', 'agents', AGENT)],
    ['checkpoint', (await store.readCheckpoint())?.note],
  ]
}
