/** Opens the shop: its runtime, its server on loopback, and the facts that everybody knows. */
import { createRuntime } from '../../../runtime/src/compose.ts'
import { createLocalLookups } from '../../../server/src/http/lookups/all.ts'
import { startServer } from '../../../server/src/http/server.ts'
import { createPeople, type KnownPerson } from '../../../server/src/people/people.ts'
import { createRealKeys } from '../fake-keys.ts'
import { Rng } from '../rng.ts'
import { countCalls } from './counted.ts'
import { buildShopContract, listTrueFacts, type Sent } from './shop.ts'
import { buildShopCapabilities } from './shop-capabilities.ts'
import { createShopClock } from './shop-clock.ts'
import { buildShopPolicies } from './shop-rules.ts'
import { Stage } from './stage.ts'
import { Wire } from './wire.ts'

export async function openStage(seed: number, agents: readonly string[]): Promise<Stage> {
  const rng = new Rng(seed)
  const clock = createShopClock()
  const sent: Sent[] = []
  const secret = `SECRET-${seed}-${rng.drawUint32().toString(16)}`
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: '/nonexistent',
    sources: [
      { source_id: 'exchange', label: 'trusted', paths: ['market.*'] },
      { source_id: 'books', label: 'operator', paths: ['accounts.*', 'vault.*'] },
      {
        source_id: 'risk',
        label: 'operator',
        paths: agents.map((agent) => `agent.${agent}.drawdown_pct`),
      },
    ],
    capabilities: buildShopCapabilities((one) => void sent.push(one)),
    policies: buildShopPolicies(),
    clock,
    background: false,
    sinks: [],
    report: () => {},
    ...createRealKeys(seed),
  })
  for (const agent of agents) await runtime.deploy(buildShopContract(agent))
  const known: KnownPerson[] = []
  const reached = { count: 0 }
  const engine = countCalls(runtime.engine, reached)
  const started = await startServer(
    {
      engine,
      lookups: countCalls(createLocalLookups(runtime.engine.context), reached),
      people: createPeople(() => known, runtime.engine.context.sha256),
      host: '127.0.0.1',
      report: () => {},
    },
    0,
  )
  if (!started.ok) throw new Error(started.error.summary)
  const wire = new Wire(runtime.engine, started.value, known)
  const stage = new Stage({ rng, clock, runtime, sent, secret, wire, reached })
  await tellTruth(stage)
  return stage
}

/** Whoever owns the facts says them again, as they do all day. */
export async function tellTruth({ runtime, secret }: Stage): Promise<void> {
  const owners = { market: 'exchange', accounts: 'books', vault: 'books', agent: 'risk' } as const
  for (const { path, value } of listTrueFacts(secret)) {
    const [first = ''] = path.split('.')
    const source = owners[first as keyof typeof owners]
    await runtime.observe({ path, value, source })
  }
}
