/** The company goes on while somebody looks: a story every few seconds at first, then every minute, until it is told to stop. */
import type { Runtime } from 'rubicon-runtime/compose'
import { raiseAlarm, startWatch } from './alarm.ts'
import { type Company, playIncident, playStory, startLead } from './company.ts'
import { buildCompanyContracts } from './contracts.ts'
import {
  CHANGED,
  FLAGGED,
  HALF_DONE,
  INJECTED,
  LED,
  LORRY,
  LOST,
  MOVED,
  ON_HOLD,
  OUT_OF_SCOPE,
  REPEATED,
  WAITING,
} from './events.ts'
import { pickEverydayStory } from './everyday.ts'
import { payInvoice } from './proven.ts'
import type { Story } from './story.ts'

export type CompanyTraffic = { stop(): Promise<void> }

/** Whoever starts it sees something happen at once. */
const QUICK_MS = 6_000
const QUICK_STORIES = 12
/** Afterwards it is slower: on a chart of a day, an hour of the quick ones would leave nothing else to see. */
const EVERY_MS = 45_000
/** Of so many stories one is of no everyday. */
const EVENT_EVERY = 5
/** Of so many one is an alarm. */
const ALARM_EVERY = 20
/** Requests that wait; beyond them nobody is asked for more. */
const WAITING_AT_MOST = 14

/** Nothing of it is decided here: that is for whoever looks. */
const EVENTS: readonly Story[] = [
  LED,
  LOST,
  INJECTED,
  MOVED,
  ...WAITING,
  HALF_DONE,
  OUT_OF_SCOPE,
  ON_HOLD,
].map(({ decided: _, ...story }) => story)

/** Where there is no history: one of each kind of answer, to begin with. */
const AT_FIRST: readonly Story[] = [
  pickEverydayStory(0),
  FLAGGED,
  INJECTED,
  REPEATED,
  LED,
  ...WAITING,
]

/** What asks a person. */
const ASKING: ReadonlySet<string> = new Set([...WAITING, CHANGED].map(({ trigger }) => trigger))

export async function startCompanyTraffic(
  runtime: Runtime,
  company: Company,
): Promise<CompanyTraffic> {
  for (const contract of buildCompanyContracts()) await runtime.deploy(contract)
  startLead(runtime)
  const { clock, store } = runtime.engine.context
  const watch = startWatch(runtime)
  if ((await store.listFlows({ limit: 1 })).length === 0) {
    for (const story of AT_FIRST) await playStory(runtime, company, story, async () => {})
    await raiseAlarm(runtime, watch)
    await payInvoice(runtime)
    await playIncident(runtime, company, LORRY, async () => {})
  }
  const first = (await store.countLeaves()) + 10_000
  let isStopped = false
  let wake = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    wake = resolve
  })
  const play = async (index: number): Promise<void> => {
    if (index % ALARM_EVERY === ALARM_EVERY - 2) return raiseAlarm(runtime, watch)
    const event = EVENTS[Math.floor(index / EVENT_EVERY) % EVENTS.length]
    const isEvent = index % EVENT_EVERY === EVENT_EVERY - 1 && event !== undefined
    const story = isEvent
      ? buildNumberedStory(event, first + index)
      : pickEverydayStory(first + index)
    if (isEvent && ASKING.has(event.trigger) && (await countWaiting(runtime)) >= WAITING_AT_MOST)
      return
    await playStory(runtime, company, story, async () => {})
  }
  const runLoop = async (): Promise<void> => {
    for (let index = 0; !isStopped; index++) {
      const timer = clock.after(index < QUICK_STORIES ? QUICK_MS : EVERY_MS, true)
      await Promise.race([timer.elapsed, stopped])
      timer.cancel()
      if (!isStopped) await play(index)
    }
  }
  const ended = runLoop()
  // Whoever stops it learns how it ended; until then nobody waits for it.
  ended.catch(() => {})
  return {
    async stop() {
      isStopped = true
      wake()
      await ended
    },
  }
}

async function countWaiting({ engine }: Runtime): Promise<number> {
  return (await engine.oversight.escalations({ limit: WAITING_AT_MOST })).length
}

/** The same story happens to somebody else: orders and tickets have other numbers. */
function buildNumberedStory(story: Story, number: number): Story {
  const replies = story.replies.map((reply) => {
    const { order } = reply.params
    if (order === undefined) return reply
    return { ...reply, params: { ...reply.params, order: `o_${number}` } }
  })
  return { ...story, replies }
}
