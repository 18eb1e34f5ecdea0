/**
 * One seed, one history: agents, people, a provider and an engine in a storm, and an auditor that
 * watches. First everything goes wrong; then nothing does, and all that was left must settle.
 */
import type { OpenedFlow } from '../../runtime/src/engine/rows/opened-flow.ts'
import type { Failpoint } from '../../runtime/src/ports/failpoint.ts'
import type { LeafEntry } from '../../runtime/src/ports/store.ts'
import type { Scene } from './agents.ts'
import type { Violation } from './audit/report.ts'
import type { Auditor } from './auditor.ts'
import { playCalm } from './calm.ts'
import { awaitMicrotasks, VirtualTime } from './clock.ts'
import { CraftPlace } from './crafts/craft-place.ts'
import { type Handed, Handovers } from './desk.ts'
import { Ears } from './ears.ts'
import { createFakeKeys, createRealKeys, type Keys } from './fake-keys.ts'
import { auditFinalStore, auditTimes } from './final-audit.ts'
import { History } from './history.ts'
import { Provider } from './provider.ts'
import { playStorm } from './rage.ts'
import { Rng } from './rng.ts'
import { createSceneCounts } from './scene-counts.ts'
import { bindToldAuditor, createSeedAuditor } from './seed-auditor.ts'
import { listSeedKinds } from './seed-kinds.ts'
import { Site } from './site.ts'
import { findAskedGenerations, listOpenGenerations } from './stored-records.ts'
import { StormBus, type StormBusOptions } from './storm-bus.ts'
import { drawSeedSwarm, type Fault, Faults, type Swarm } from './swarm.ts'
import { createWatchedIndex, type WatchedIndex } from './watched-index.ts'

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
  /** Nothing is erased in the end: the ledger stays as it was written. */
  readonly whole?: boolean
}

/** Every so many seeds are signed with real keys and judged in full. */
export const THOROUGH_EVERY = 16
/** In every so many the store watches the time, and clocks go astray. */
const WATCHED_EVERY = 8
const WATCHED_FROM = 5
/** In every so many a start takes the store for a database, and must find nothing wrong with it. */
const EXPOSED_EVERY = 8
const EXPOSED_FROM = 3
const STEPS_MAX = 60_000
const RAGE_WITHIN_MS = 24 * 3_600_000
const SETTLE_WITHIN_MS = 4 * 3_600_000

/** In every so many somebody works on the store from a terminal, beside the servers. */
const LOCAL_EVERY = 8
const LOCAL_FROM = 3

export async function runSeed(
  seed: number,
  { print, whole = false }: SeedOptions = {},
): Promise<SeedResult> {
  const thorough = seed % THOROUGH_EVERY === 0
  const rng = new Rng(seed)
  const time = new VirtualTime()
  const kinds = listSeedKinds(seed)
  const swarm = drawSeedSwarm(rng.fork(), kinds)
  const history = new History(time, print)
  const recordNote = (text: string): void => history.recordLine(text)
  const faults = new Faults(rng.fork(), swarm, recordNote)
  const keys = thorough ? createRealKeys(seed) : createFakeKeys(seed)
  const crafts = kinds.crafted ? createCrafts(seed, () => auditor) : null
  const audited = { thorough, swarm, carried: kinds.alarmed, keys, crafts, time }
  const auditor: Auditor = createSeedAuditor(audited, () => site.tables)
  const provider = new Provider(time, rng.fork(), faults, (event) => {
    recordNote(`provider ${event.event} ${event.kind} ${event.key} ${event.send}`)
    auditor.steps.auditProviderEvent(event)
    auditor.acts.calls.auditProviderEvent(event)
    auditor.holds.sourceReads.recordProviderEvent(event)
  })
  const ears = await Ears.open(time, swarm.listened)
  const handovers = new Handovers((error) => auditor.report('I7', `a handed flow: ${error}`))
  const site: Site = createSite({
    seed,
    keys,
    rng: rng.fork(),
    time,
    faults,
    swarm,
    provider,
    note: recordNote,
    auditor,
    ears,
    bus: kinds.alarmed ? createBus({ time, faults, note: recordNote, auditor }) : null,
    crafts,
    handed: (flow) => handovers.take(scene, flow),
  })
  const counts = createSceneCounts(swarm, kinds, () => auditor.violations.length > 0)
  const scene: Scene = {
    rng: rng.fork(),
    time,
    swarm,
    site,
    provider,
    note: recordNote,
    hand: (work) => handovers.run(work),
    ...kinds,
    ...bindToldAuditor(auditor),
    ...counts,
    whole,
    // Where one process holds the store, whoever comes with a verb is sent away.
    local: seed % LOCAL_EVERY === LOCAL_FROM && swarm.machines > 1,
    opened: [] as OpenedFlow[],
    handing: () => handovers.open,
  }
  await playSeed(seed, scene, faults, auditor)
  auditFinalStore(auditor, site, thorough)
  for (const field of await ears.close())
    auditor.report('I13', `what was planted as ${field} has left the house`)
  return {
    seed,
    intents: counts.countIntents(),
    faults: faults.countStruck(),
    violations: auditor.violations,
    history_hash: history.hash(),
    events: history.events,
    struck: faults.struck,
    hits: site.hits,
    entries: site.tables.entries,
  }
}

/** The storm and the calm, which an index follows. */
async function playSeed(
  seed: number,
  scene: Scene,
  faults: Faults,
  auditor: Pick<Auditor, 'report'>,
): Promise<void> {
  const { site } = scene
  const index = createWatchedIndex(seed, () => site.tables, auditor)
  const problem = await playToTheEnd(scene, faults, index)
  if (problem !== null) auditor.report('I7', problem)
  await index?.finish()
}

/** What does not end, in words. */
async function playToTheEnd(
  scene: Scene,
  faults: Faults,
  index: WatchedIndex | null,
): Promise<string | null> {
  const { time, note, site } = scene
  site.options.crafts?.layFiles()
  site.start()
  const toDriveLimits = (ms: number) => ({ time, ms, steps: STEPS_MAX, index })
  const raged = await drive(toDriveLimits(RAGE_WITHIN_MS), playStorm(scene, faults))
  note('calm')
  faults.end()
  if (!raged) return 'somebody waits for an answer that never comes'
  const calmed = await drive(toDriveLimits(SETTLE_WITHIN_MS), playCalm(scene))
  return calmed ? null : 'it does not settle'
}

/** `getAuditor`: it is made of what lies there. */
function createCrafts(seed: number, getAuditor: () => Auditor): CraftPlace {
  return new CraftPlace(seed, {
    saved: (name, bytes) => getAuditor().crafts.recordEdit(name, bytes),
    looked: () => getAuditor().crafts.auditWhole(),
  })
}

/** What it takes, and who hears it, is shown to the auditor. */
function createBus({
  auditor,
  ...options
}: Pick<StormBusOptions, 'time' | 'faults' | 'note'> & { readonly auditor: Auditor }): StormBus {
  return new StormBus({
    ...options,
    taken: (delivery) => auditor.bus.auditTaken(delivery),
    subscribed: (agent, topic) => auditor.bus.auditSubscribed(agent, topic),
  })
}

/** The engine's side of a seed, with everything it makes durable shown to the auditor. */
function createSite(input: {
  readonly seed: number
  readonly keys: Keys
  readonly rng: Rng
  readonly time: VirtualTime
  readonly faults: Faults
  readonly swarm: Swarm
  readonly provider: Provider
  readonly note: (text: string) => void
  readonly auditor: Auditor
  readonly ears: Ears
  readonly bus: StormBus | null
  readonly crafts: CraftPlace | null
  readonly handed: (handed: Handed) => void
}): Site {
  const { seed, auditor, note, ears, ...rest } = input
  const watched = seed % WATCHED_EVERY === WATCHED_FROM
  const site: Site = new Site({
    ...rest,
    watched,
    exposed: seed % EXPOSED_EVERY === EXPOSED_FROM,
    note,
    ears,
    told: (notice) => {
      note(`notice ${notice.kind} ${notice.id}`)
      ears.recordNotice(notice)
      auditor.recordNotice(notice)
    },
    asked: (event) => {
      note(`model ${event.event} ${event.question}`)
      const findAsked = (question: string) => findAskedGenerations(site.tables, question)
      auditor.generations.auditModelEvent(event, { findAsked })
    },
    advised: listSeedKinds(seed).advised
      ? (event) => {
          note(`advice ${event.adviser} ${event.event}`)
          auditor.reviews.auditAdvice(event, site.tables.counters)
        }
      : null,
    committed: (entries, epoch) => {
      for (const { id, envelope } of entries) note(`entry ${envelope.kind} ${envelope.seq} ${id}`)
      auditor.auditEntries(entries, site.isDeclaredDead(epoch))
      auditor.exceptions.endUnit()
      const open = listOpenGenerations(site.tables)
      if (open.length > 0) auditor.generations.auditOpen({ open, counters: site.tables.counters })
      if (watched) auditTimes(site, entries, (...found) => auditor.report(...found))
    },
    agreed: (entry, rules) => auditor.rules.recordAgreement(entry, rules),
    checkpointed: (text) => {
      note(`checkpoint ${text}`)
      auditor.chains.auditCheckpoint(text)
    },
    refused: (why) => auditor.report('I7', `the engine refuses to start: ${why}`),
  })
  return site
}

/** Takes wake-ups until the work is done. False: it was not, within the bounds. */
async function drive(
  bounds: {
    readonly time: VirtualTime
    readonly ms: number
    readonly steps: number
    readonly index: WatchedIndex | null
  },
  work: Promise<void>,
): Promise<boolean> {
  const { time, ms, steps, index } = bounds
  const until = time.getElapsedMs() + ms
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
  await awaitMicrotasks()
  for (let step = 0; step < steps && !done && time.getElapsedMs() <= until; step++) {
    await index?.follow()
    if (!(await time.step())) break
  }
  if (failure !== undefined) throw failure
  return done
}
