/**
 * A week of the company, for a store in which there is nothing yet: decided by the engine like everything else, under
 * a clock that is moved from story to story and arrives at the present.
 */
import { createRuntime, type Runtime, type RuntimeOptions } from 'rubicon-runtime/compose'
import { createMovableClock } from '../stage.ts'
import { raiseAlarm, startWatch } from './alarm.ts'
import {
  type Company,
  type Lead,
  type Pass,
  PERSON,
  playIncident,
  playStory,
  startLead,
} from './company.ts'
import { buildCompanyContracts, SUPPORT } from './contracts.ts'
import {
  ASKED,
  CHANGED,
  FLAGGED,
  GENEROUS,
  HALF_DONE,
  INJECTED,
  INSURED,
  LED,
  LORRY,
  LOST,
  MOVED,
  ON_HOLD,
  OUT_OF_SCOPE,
  OVERPAID,
  RAISED,
  REFUSED,
  RELEASED,
  REPEATED,
  REVIEWED,
  THANKS,
  UNCERTAIN,
  WAITING,
} from './events.ts'
import { pickEverydayStory } from './everyday.ts'
import { payInvoice } from './proven.ts'
import type { Story } from './story.ts'

const HOUR_MS = 60 * 60_000
/** A little less than seven days: a clock that jumps by more is taken for a wrong one. */
const WEEK_MS = 6.9 * 24 * HOUR_MS
/**
 * What comes together through each day, the last one first: customers write in waves. The last two have most of it, since charts
 * begin with them, and each story takes its time to write.
 */
const WAVES: readonly (readonly number[])[] = [
  [2, 1, 4, 1, 3, 5, 2, 3, 1, 2],
  [1, 3, 2, 4, 1, 3],
  [2, 1, 2],
  [1, 3, 1],
  [2, 2],
  [1, 2, 1],
  [1, 1, 2],
]
/** Within one wave. */
const WAVE_STEP_MS = 100_000

type Planned = {
  readonly at: number
  readonly story: Story | 'reactivate' | 'alarm' | 'invoice' | 'lorry'
}

/** Where in the week something happens that does not happen every day. */
const EVENTS: readonly (readonly [number, Planned['story']])[] = [
  [0.05, OVERPAID],
  [0.08, RELEASED],
  [0.16, LED],
  [0.24, CHANGED],
  [0.31, INJECTED],
  [0.35, REVIEWED],
  [0.38, MOVED],
  [0.45, HALF_DONE],
  [0.52, LOST],
  ...GENEROUS.map((story, n): readonly [number, Story] => [0.58 + n * 0.005, story]),
  [0.7, 'reactivate'],
  [0.73, 'alarm'],
  [0.76, REPEATED],
  [0.82, REFUSED],
  [0.88, RAISED],
  [0.9, 'invoice'],
  [0.93, OUT_OF_SCOPE],
  ...THANKS.map((story, n): readonly [number, Story] => [0.94 + n * 0.002, story]),
  [0.96, ON_HOLD],
  [0.97, 'lorry'],
  ...INSURED.map((story, n): readonly [number, Story] => [0.971 + n * 0.001, story]),
  [0.975, UNCERTAIN],
  [0.98, FLAGGED],
  [0.99, 'alarm'],
  ...ASKED.map((story, n): readonly [number, Story] => [0.992 + n * 0.0005, story]),
]

/** Minutes before the present. */
const WAITING_SINCE: readonly number[] = [46, 38, 26, 14, 11, 9, 7, 4]

/** Everything that happened until `now`, the oldest first. */
function planWeek(now: number): readonly Planned[] {
  const from = now - WEEK_MS
  const last = now - HOUR_MS
  const toTime = (part: number): number => Math.round(from + part * (last - from))
  const everyday = planEveryday(from, last).map((at, number): Planned => {
    return { at, story: pickEverydayStory(number) }
  })
  const events = EVENTS.map(([part, story]): Planned => ({ at: toTime(part), story }))
  const waiting = WAITING.map((story, n): Planned => {
    return { at: now - (WAITING_SINCE[n] ?? 5) * 60_000, story }
  })
  return [...everyday, ...events, ...waiting].sort((a, b) => a.at - b.at)
}

/** When something happens that happens every day, the oldest first. */
export function planEveryday(from: number, last: number): readonly number[] {
  const dayMs = (last - from) / WAVES.length
  const times = WAVES.flatMap((waves, ago) =>
    waves.flatMap((size, wave) => {
      const begins = Math.round(last - (ago + 1 - (wave + 0.5) / waves.length) * dayMs)
      return Array.from({ length: size }, (_, number) => begins + number * WAVE_STEP_MS)
    }),
  )
  return times.sort((a, b) => a - b)
}

/** False: there was something in the store, and nothing was written. */
export async function writeHistory(
  company: Company,
  options: RuntimeOptions,
  now: number,
): Promise<boolean> {
  const week = planWeek(now)
  const clock = createMovableClock(week[0]?.at ?? now)
  const runtime = await createRuntime({
    ...options,
    clock,
    background: false,
    people: [PERSON],
    models: company.models,
    softGuards: company.softGuards,
    sources: company.createSources(clock.now),
    report: () => {},
  })
  try {
    if ((await runtime.store.countLeaves()) > 0) return false
    await runtime.start()
    for (const contract of buildCompanyContracts()) await runtime.deploy(contract)
    const lead = startLead(runtime)
    const watch = startWatch(runtime)
    for (const { at, story } of week) {
      clock.ahead(Math.max(0, at - clock.now()))
      if (story === 'reactivate') await reactivate(runtime)
      else if (story === 'alarm') await raiseAlarm(runtime, watch)
      else if (story === 'invoice') await payInvoice(runtime)
      else if (story === 'lorry')
        await playIncident(runtime, company, LORRY, createPass(lead, clock))
      else await playStory(runtime, company, story, createPass(lead, clock))
      await lead.awaitRest()
      await settle(runtime, lead, clock)
    }
    return true
  } finally {
    await runtime.close()
  }
}

/** Nobody's time passes while somebody works. */
function createPass(lead: Lead, clock: { ahead(ms: number): void }): Pass {
  return async (ms) => {
    await lead.awaitRest()
    clock.ahead(ms)
  }
}

/** What happens by itself while a server runs. */
async function settle(
  { engine }: Runtime,
  lead: Lead,
  clock: { ahead(ms: number): void },
): Promise<void> {
  await engine.context.advisers.guards.awaitSettled()
  await engine.runDue()
  await lead.awaitRest()
  clock.ahead(PROBED_AFTER_MS)
  await engine.reconcile()
  await engine.oversight.sweepMonitors()
}

const PROBED_AFTER_MS = 5_000

async function reactivate({ engine }: Runtime): Promise<void> {
  const justification = 'offers are at most 5 % from now on; see the note of the retention team'
  await engine.moveAgent({ agent_id: SUPPORT, to: 'ACTIVE', actor: 'operator', justification })
}
