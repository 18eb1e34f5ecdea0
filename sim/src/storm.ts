/**
 * One seed, one history: agents, people, a provider and an engine in a storm, and an auditor that
 * watches. First everything goes wrong; then nothing does, and all that was left must settle.
 */
import { createHash } from 'node:crypto'
import { REASON_CODES } from 'rubicon-kernel'
import { groupName, type Tables } from '../../runtime/src/adapters/memory/tables.ts'
import { STATE_GROUP } from '../../runtime/src/engine/layers/observed-state.ts'
import type { OpenedFlow } from '../../runtime/src/engine/open.ts'
import type { Failpoint } from '../../runtime/src/ports/failpoint.ts'
import type { RecordKind, StoredRecord } from '../../runtime/src/ports/record.ts'
import type { LeafEntry } from '../../runtime/src/ports/store.ts'
import { liveAsAgent, type Scene } from './agents.ts'
import type { Violation } from './audit/report.ts'
import { Auditor } from './auditor.ts'
import { call, callOn } from './call.ts'
import { watchedBy } from './capabilities.ts'
import { settled, VirtualTime } from './clock.ts'
import { AGENTS, contractOf } from './contracts.ts'
import { fakeKeys, realKeys } from './fake-keys.ts'
import { liveAsMarket } from './market.ts'
import { openOutcomes } from './open-outcomes.ts'
import { carryOut, liveAsDriver, liveAsExecutor, liveAsOperator } from './operator.ts'
import { Provider } from './provider.ts'
import { recompile } from './recompile.ts'
import { liveAsRegistrar } from './registrar.ts'
import { Rng } from './rng.ts'
import { Site } from './site.ts'
import { drawSwarm, type Fault, Faults, type Swarm } from './swarm.ts'
import { liveAsTimeService } from './time-service.ts'
import { liveAsTrader } from './trader.ts'

export type SeedResult = {
  readonly seed: number
  readonly intents: number
  readonly faults: number
  readonly violations: readonly Violation[]
  readonly history_hash: string
  readonly events: number
  readonly struck: ReadonlyMap<Fault, number>
  readonly hits: ReadonlyMap<Failpoint, number>
  readonly entries: readonly LeafEntry[]
}

export type SeedOptions = {
  /** Gets every event, for a person who looks for a cause. */
  readonly print?: (line: string) => void
}

/** Every so many seeds are signed with real keys and judged in full. */
const THOROUGH_EVERY = 16
const STEPS_MAX = 60_000
const SETTLE_WITHIN_MS = 4 * 3_600_000

export async function runSeed(seed: number, options: SeedOptions = {}): Promise<SeedResult> {
  const { print } = options
  const thorough = seed % THOROUGH_EVERY === 0
  const rng = new Rng(seed)
  const time = new VirtualTime()
  const swarm = drawSwarm(rng.fork())
  const history = new History(time, print)
  const note = (text: string): void => history.note(text)
  const faults = new Faults(rng.fork(), swarm, note)
  const auditor = new Auditor({
    codes: new Set<string>(REASON_CODES),
    recompile: thorough ? recompile : null,
    thorough,
    shared: swarm.machines > 1,
    outside: { watched: watchedBy, lastWord: (path) => lastWord(site.tables, path) },
  })
  const provider = new Provider(time, rng.fork(), faults, (event) => {
    note(`provider ${event.event} ${event.kind} ${event.key} ${event.send}`)
    auditor.outside(event)
  })
  const site: Site = siteOf({
    seed,
    thorough,
    rng: rng.fork(),
    time,
    faults,
    swarm,
    provider,
    note,
    auditor,
  })
  let intents = 0
  const scene: Scene = {
    rng: rng.fork(),
    time,
    swarm,
    site,
    provider,
    note,
    acknowledge: (ack) => auditor.acknowledged(ack),
    observed: (said) => auditor.observed(said),
    opened: [] as OpenedFlow[],
    propose: () => {
      intents += 1
      return intents <= 2 * swarm.proposals
    },
    enough: () => intents >= swarm.proposals || auditor.violations.length > 0,
  }
  const within = (ms: number, steps: number) => ({ time, ms, steps })
  site.start()
  const raged = await drive(within(24 * 3_600_000, STEPS_MAX), rage(scene, faults))
  note('calm')
  faults.end()
  const calmed = raged && (await drive(within(SETTLE_WITHIN_MS, STEPS_MAX), settle(scene)))
  if (!raged) auditor.report('I7', 'somebody waits for an answer that never comes')
  else if (!calmed) auditor.report('I7', 'it does not settle')
  lastLook(auditor, site)
  return {
    seed,
    intents,
    faults: faults.total(),
    violations: auditor.violations,
    history_hash: history.hash(),
    events: history.events,
    struck: faults.struck,
    hits: site.hits,
    entries: site.tables.entries,
  }
}

/** Everything that happened, in order: one seed must give one hash. */
class History {
  readonly #hash = createHash('sha256')
  readonly #time: VirtualTime
  readonly #print: ((line: string) => void) | undefined
  events = 0

  constructor(time: VirtualTime, print: ((line: string) => void) | undefined) {
    this.#time = time
    this.#print = print
  }

  note(text: string): void {
    const line = `${this.#time.monotonic()} ${text}\n`
    this.events += 1
    this.#hash.update(line)
    this.#print?.(line)
  }

  hash(): string {
    return this.#hash.digest('hex')
  }
}

/** What the store holds in the end, held against everything that was seen. */
function lastLook(auditor: Auditor, { tables }: Site): void {
  const { entries, heads, counters, worlds, executions, flows } = tables
  auditor.finish({
    entries,
    heads: [...heads.values()],
    counters,
    resources: worlds.get('main')?.resources.values() ?? [],
    executions: [...executions.values()].flatMap((steps) => [...steps.values()]),
    flows,
    locks: recordsOf(tables, 'lock').map(({ group: resource, key: holder, body }) => {
      return { resource, holder, amount: 'amount' in body ? body.amount : '' }
    }),
    noted: [
      ...recordsOf(tables, 'note').map(({ group }) => group),
      ...recordsOf(tables, 'noted_flow').map(({ key }) => key),
    ],
  })
}

function recordsOf({ records }: Tables, record: RecordKind): readonly StoredRecord<RecordKind>[] {
  const prefix = groupName({ record, group: '' })
  return [...records].flatMap(([name, group]) =>
    name.startsWith(prefix) ? [...group.values()] : [],
  )
}

/** What was observed last, whoever reads it. */
function lastWord({ records }: Tables, path: string) {
  const found = records.get(groupName({ record: 'observation', group: STATE_GROUP }))?.get(path)
  if (found === undefined || !('observed_at' in found.body)) return undefined
  const { value, observed_at } = found.body
  return { value, observed_at, version: found.version }
}

/** The engine's side of a seed, with everything it makes durable shown to the auditor. */
function siteOf(input: {
  readonly seed: number
  readonly thorough: boolean
  readonly rng: Rng
  readonly time: VirtualTime
  readonly faults: Faults
  readonly swarm: Swarm
  readonly provider: Provider
  readonly note: (text: string) => void
  readonly auditor: Auditor
}): Site {
  const { seed, thorough, auditor, note, ...rest } = input
  const site: Site = new Site({
    ...rest,
    note,
    keys: thorough ? realKeys(seed) : fakeKeys(seed),
    committed: (entries, epoch) => {
      for (const { id, envelope } of entries) note(`entry ${envelope.kind} ${envelope.seq} ${id}`)
      auditor.committed(entries, site.isDeclaredDead(epoch))
    },
    checkpointed: (text) => {
      note(`checkpoint ${text}`)
      auditor.checkpoint(text)
    },
    refused: (why) => auditor.report('I7', `the engine refuses to start: ${why}`),
  })
  return site
}

/** Takes wake-ups until the work is done. False: it was not, within the bounds. */
async function drive(
  bounds: { readonly time: VirtualTime; readonly ms: number; readonly steps: number },
  work: Promise<void>,
): Promise<boolean> {
  const { time, ms, steps } = bounds
  const until = time.monotonic() + ms
  let done = false
  let failure: unknown
  work.then(
    () => {
      done = true
    },
    (error: unknown) => {
      done = true
      failure = error
    },
  )
  await settled()
  for (let step = 0; step < steps && !done && time.monotonic() <= until; step++)
    if (!(await time.step())) break
  if (failure !== undefined) throw failure
  return done
}

async function rage(scene: Scene, faults: Faults): Promise<void> {
  const patches = new Map<string, number>()
  for (const agent of AGENTS) await deployAtLast(scene, agent)
  await Promise.all([
    ...Array.from({ length: scene.swarm.actors }, () => liveAsAgent(scene)),
    liveAsOperator(scene, patches),
    liveAsRegistrar(scene),
    liveAsMarket(scene, faults),
    liveAsTrader(scene),
    liveAsTimeService(scene, faults),
    ...(scene.swarm.background ? [] : [liveAsDriver(scene)]),
    ...(scene.swarm.executors === 'elsewhere' ? [liveAsExecutor(scene)] : []),
  ])
}

async function deployAtLast(scene: Scene, agent: (typeof AGENTS)[number]): Promise<void> {
  const contract = contractOf(agent, 0, scene.swarm.flowBudgetUsd)
  while ((await call(scene, (engine) => engine.deploy(contract))) === null)
    await scene.time.sleep(100)
}

/** Without faults: until no outcome is open, nothing is kept for long, and all of it is signed. */
async function settle(scene: Scene): Promise<void> {
  const { site, time, swarm } = scene
  for (;;) {
    await time.sleep(1000)
    await site.process()
    if (!swarm.background) await reconcileAll(scene)
    if (swarm.executors === 'elsewhere') await carryOut(scene)
    if (site.isIdle && openOutcomes(site.tables) === 0) break
  }
  await reconcileAll(scene)
  await call(scene, (engine) => engine.checkpoint())
}

async function reconcileAll(scene: Scene): Promise<void> {
  for (const process of scene.site.running)
    await callOn(process, scene, (engine) => engine.reconcile())
}
