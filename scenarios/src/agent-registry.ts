/**
 * Who may work here: a handshake opens a session for an agent that somebody registered and that
 * speaks our language. While the registry does not answer, what is remembered of it counts, briefly.
 */
import { type Answer, LIMITS, REASONS } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import { storeManifest } from 'rubicon-runtime/engine/authority'
import type { Capability, ManifestSource, Store } from 'rubicon-runtime/ports'
import { buildContract } from '../../server/src/demo/contract.ts'
import {
  createMovableClock,
  type ExpectedAnswer,
  type Scenario,
  type Stage,
} from '../../server/src/demo/stage.ts'

const AGENT = 'quote_agent'
const NEWER = 'newer_agent'
const DONE: ExpectedAnswer = { outcome: 'ACCEPTED' }
const expectRejection = (reason_code: string): ExpectedAnswer => ({
  outcome: 'REJECTED',
  reason_code,
})

export const scenario: Scenario = { name: 'agent-registry', play }

async function play(stage: Stage): Promise<void> {
  const clock = createMovableClock()
  const registry = openRegistry()
  const runtime = await stage.openRuntime({
    clock,
    manifest: registry,
    background: false,
    capabilities: [quoteCapability],
  })
  registry.store = runtime.store
  for (const agent of [AGENT, NEWER]) await runtime.deploy(buildContract(agent, ['QUOTE']))

  await playVersions(stage, runtime)
  await playOutage(stage, runtime, registry, clock)
  await playSuspension(stage, runtime)
  await stage.close(runtime)
}

async function playVersions(stage: Stage, runtime: Runtime): Promise<void> {
  const { engine } = runtime
  const old = await engine.handshake({ agent: AGENT, schema_version: '1.2' })
  const ours = old.ok ? old.value.schema_version : 'none'
  stage.recordAnswer(`an agent of version 1.2 at a runtime of ${ours}: a token`, old, DONE)
  stage.check('the runtime speaks 1.5', ours.startsWith('1.5'))
  const token = old.ok ? old.value.session_token : ''
  stage.recordDecision('it works under its token', await quote(runtime, token), DONE)

  const newer = await engine.handshake({ agent: NEWER, schema_version: '2.0' })
  stage.recordAnswer(
    'an agent of version 2.0',
    newer,
    expectRejection('VERSION_UNSUPPORTED'),
    newer.ok ? '' : (newer.error.why ?? ''),
  )
  stage.check('over HTTP that is a 406', REASONS.VERSION_UNSUPPORTED.http === 406)
  stage.check('it changed nothing', (await readStatus(runtime, NEWER)) === 'INITIALIZING')
}

async function playOutage(
  stage: Stage,
  runtime: Runtime,
  registry: Registry,
  clock: ReturnType<typeof createMovableClock>,
): Promise<void> {
  const { engine } = runtime
  registry.isReachable = false
  const seconds = LIMITS.manifestTtlMs / 1000
  stage.addInfo(
    `the registry is out of reach; what is remembered of it counts for ${seconds} seconds`,
  )
  const known = await engine.handshake({ agent: AGENT, schema_version: '1.2' })
  stage.recordAnswer('an agent that is known shakes hands', known, DONE)
  const token = known.ok ? known.value.session_token : ''
  stage.recordDecision('and works', await quote(runtime, token), DONE)
  stage.recordAnswer(
    'an agent that nobody here has seen',
    await engine.handshake({ agent: 'late_agent', schema_version: '1.2' }),
    expectRejection('REGISTRY_UNAVAILABLE'),
  )
  const flow = await runtime.open({ agent: AGENT, trigger: 'a question' })
  clock.ahead(LIMITS.manifestTtlMs)
  stage.recordDecision(
    `the agent that is known, ${seconds} seconds later`,
    await flow.propose({ policy_kind: 'QUOTE' }),
    expectRejection('REGISTRY_UNAVAILABLE'),
  )
  stage.recordAnswer(
    'and its next handshake',
    await engine.handshake({ agent: AGENT, schema_version: '1.2' }),
    expectRejection('REGISTRY_UNAVAILABLE'),
  )
  registry.isReachable = true
  stage.recordDecision(
    'the same proposal, once the registry answers',
    await flow.propose({ policy_kind: 'QUOTE' }),
    DONE,
  )
}

async function playSuspension(stage: Stage, runtime: Runtime): Promise<void> {
  const { engine } = runtime
  const before = await engine.handshake({ agent: AGENT })
  const token = before.ok ? before.value.session_token : ''
  const justification = 'its owner has questions'
  await engine.moveAgent({ agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification })
  stage.recordAnswer(
    'a suspended agent comes with its token',
    await engine.open({ agent: AGENT, trigger: 'a question', session: token }),
    expectRejection('SESSION_INVALID'),
  )
  stage.recordAnswer(
    'and shakes hands again',
    await engine.handshake({ agent: AGENT, schema_version: '1.2' }),
    expectRejection('AGENT_SUSPENDED'),
  )
  stage.check('it stays suspended', (await readStatus(runtime, AGENT)) === 'SUSPENDED')
}

async function quote(runtime: Runtime, session: string): Promise<Answer> {
  const flow = await runtime.open({ agent: AGENT, trigger: 'a question', session })
  return flow.propose({ policy_kind: 'QUOTE' }, { session })
}

async function readStatus({ engine }: Runtime, agent: string): Promise<string | undefined> {
  return (await engine.context.authorities.loadLatest()).statuses.get(agent)
}

type Registry = ManifestSource & { isReachable: boolean; store: Store | null }

/** The tenant's own registry, at the other end of a cable that can be pulled. */
function openRegistry(): Registry {
  const openSource = ({ isReachable, store }: Registry): ManifestSource => {
    if (!isReachable || store === null) throw new Error('connect ETIMEDOUT')
    return storeManifest(store)
  }
  return {
    isReachable: true,
    store: null,
    async head() {
      return openSource(this).head()
    },
    async entries(from, limit) {
      return openSource(this).entries(from, limit)
    },
  }
}

const quoteCapability: Capability = {
  kind: 'QUOTE',
  effect: 'read',
  risk: 'low',
  params: { type: 'object', additionalProperties: false },
  execute: () => ({ result: { price: '12.00' } }),
}
