/**
 * `rubicon bench fill`: a store with many flows in it, each made by the engine as any other: opened,
 * proposed, decided, carried out, recorded. They lie in the past thirty days; the last requests that
 * wait for a person are from now, so that somebody can still decide them.
 */
import {
  type EscalationDecision,
  type EscalationRequest,
  formatInstant,
  LIMITS,
} from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { systemClock } from '../../runtime/src/compose.ts'
import { indexLeaves } from '../../runtime/src/engine/ledger/find/index-leaves.ts'
import type { Clock } from '../../runtime/src/ports/clock.ts'
import { ignoreProgress, type Progress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { Rng } from '../../sim/src/rng.ts'
import { AGENTS, buildFillContract, FILL_CAPABILITIES, MONITOR } from './fill-cast.ts'
import { chooseStory, play, type Story } from './fill-story.ts'
import { roundFigure, runLanes } from './measure.ts'
import { measureStoredBytes, runVacuum } from './stored-bytes.ts'

export type FillOptions = {
  readonly flows: number
  readonly store: string
  readonly state?: string
  readonly seed: number
  readonly note: (text: string) => void
  readonly progressOf?: ProgressOf
}

export type FillReport = {
  readonly store: string
  readonly flows: number
  readonly entries: number
  readonly waiting: number
  readonly seconds: number
  readonly flows_per_s: number
  /** On disk, with indexes; null where nothing is on disk. */
  readonly bytes: number | null
  readonly bytes_per_flow: number | null
}

const PAST_MS = 30 * 86_400_000
/** Flows at a time, and over how many moments at least they are spread. */
const AT_ONCE = 256
const ROUNDS = 20
/** Requests that are left to be decided. */
const WAITING = 40
const CHECKPOINT_EVERY = 20_000
const BY = { kind: 'person', principal: 'ann@example.com' } as const

export async function runFillBench(options: FillOptions): Promise<FillReport> {
  const { store } = options
  const before = await measureStoredBytes(store)
  const filled = await fillStore(options)
  await runVacuum(store)
  const bytes = await measureStoredBytes(store)
  const grown = bytes === null ? null : Math.round((bytes - (before ?? 0)) / filled.flows)
  return { ...filled, bytes, bytes_per_flow: grown }
}

async function fillStore(
  options: FillOptions,
): Promise<Omit<FillReport, 'bytes' | 'bytes_per_flow'>> {
  const { store, state, flows, seed, note, progressOf = ignoreProgress } = options
  const clock = createPastClock()
  const runtime = await createRuntime({
    store,
    clock,
    ...(state === undefined ? {} : { stateDirectory: state }),
    capabilities: FILL_CAPABILITIES,
    people: [BY.principal],
    background: false,
    report: () => {},
  })
  try {
    // A ledger does not go back: what is added to one that exists is from now.
    const begun = await runtime.store.countLeaves()
    if (begun > 0) clock.set(1)
    for (const agent of AGENTS) await runtime.deploy(buildFillContract(agent))
    await runtime.monitor(MONITOR)
    const made = progressOf('flows')
    const started = performance.now()
    const filled = await fill(runtime, clock, {
      flows,
      store,
      rng: new Rng(seed),
      progress: made.tell,
    })
    made.end()
    const seconds = (performance.now() - started) / 1000
    // What the provider said nothing about is put before a person.
    await runtime.engine.reconcile()
    note('signing what was written')
    await runtime.engine.checkpoint()
    // What happens by itself did not, and whoever searches it now wants to find something.
    while ((await indexLeaves(runtime.store)) > 0);
    const entries = await runtime.store.countLeaves()
    const waiting = (await runtime.engine.oversight.escalations({ limit: LIMITS.listed })).length
    const flows_per_s = roundFigure(filled / seconds)
    return { store, flows: filled, entries, waiting, seconds: roundFigure(seconds), flows_per_s }
  } finally {
    await runtime.close()
  }
}

type Filling = {
  readonly flows: number
  readonly store: string
  readonly rng: Rng
  readonly progress: Progress
}

async function fill(
  runtime: Runtime,
  clock: PastClock,
  { flows, store, rng, progress }: Filling,
): Promise<number> {
  let made = 0
  let number = 0
  let signed = 0
  const atOnce = Math.min(AT_ONCE, Math.ceil(flows / ROUNDS))
  while (made < flows) {
    // Families take more flows than one, so that a round may make more than it has stories.
    const isLast = flows - made <= 2 * atOnce
    clock.set(isLast ? 1 : made / flows)
    const count = isLast ? flows - made : atOnce
    const stories = Array.from({ length: count }, (_, i): Story => {
      // So that something waits.
      return isLast && i % 2 === 0 && i < 2 * WAITING ? 'asked' : chooseStory(rng, number + i)
    })
    made += await playAll(runtime, rng, stories, number)
    number += count
    await decideWaiting(runtime, clock, rng, isLast ? WAITING : 0)
    progress(made, flows)
    await runVacuum(store)
    if (made - signed < CHECKPOINT_EVERY) continue
    signed = made
    await runtime.engine.checkpoint()
  }
  return made
}

async function playAll(
  runtime: Runtime,
  rng: Rng,
  stories: readonly Story[],
  first: number,
): Promise<number> {
  let made = 0
  let next = 0
  await runLanes(stories.length, stories.length, async () => {
    const index = next
    next += 1
    const story = stories[index]
    if (story === undefined) return
    // Of their own: in which order lanes come to draw is nobody's to foresee.
    const took = await play(story, { runtime, rng: rng.fork(), number: first + index })
    made += took
  })
  return made
}

/** Somebody reads what was asked, and says yes to most of it; the last are left. */
async function decideWaiting(
  { engine }: Runtime,
  clock: PastClock,
  rng: Rng,
  left: number,
): Promise<void> {
  await engine.context.advisers.round()
  await engine.oversight.sweepMonitors()
  clock.advance(LIMITS.highImpactDwellMs)
  const open = await engine.oversight.escalations({ limit: LIMITS.listed })
  const asked = open.filter(({ kind }) => kind !== 'outcome')
  const ids = asked.slice(0, Math.max(0, asked.length - left)).map(({ id }) => id)
  await runLanes(ids.length, AT_ONCE, async () => {
    const id = ids.pop() ?? ''
    const view = await engine.oversight.escalation(id)
    if (view === null) return
    const decision = rng.drawChance(0.7) ? 'OVERRIDE' : 'ABORT'
    const decided = await engine.oversight.decideEscalation(
      id,
      buildDecision(view.request, decision, clock),
      BY,
    )
    if (!decided.ok) throw new Error(`a request was not decided: ${decided.error.summary}`)
  })
}

function buildDecision(
  { intent_digest, shown_snapshot, triggers, impact, acknowledge }: EscalationRequest,
  decision: 'OVERRIDE' | 'ABORT',
  clock: Clock,
): EscalationDecision {
  const agreed = {
    valid_until: formatInstant(clock.now() + 60_000),
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
  }
  return {
    decision,
    intent_digest,
    shown_snapshot,
    lifts: decision === 'OVERRIDE' ? triggers.map(({ id }) => id) : [],
    justification: 'I have looked at the order',
    ...(decision === 'OVERRIDE' ? agreed : {}),
  }
}

type PastClock = Clock & {
  /** How much of the time has passed: 1 is now, a minute ago. */
  set(share: number): void
  advance(ms: number): void
}

const NOW_MS = 60_000

function createPastClock(): PastClock {
  let behind = PAST_MS
  return {
    ...systemClock,
    now: () => Math.floor(systemClock.now() - behind),
    set(share) {
      behind = NOW_MS + (PAST_MS - NOW_MS) * (1 - share)
    },
    advance(ms) {
      behind -= ms
    },
  }
}
