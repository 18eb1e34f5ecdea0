/**
 * The engine against the reference, about events: the same story of who says what when, near every boundary, from a seed. Who
 * is carried out, refused, asked about, preempted by whom and halted by whom must be the same.
 */
import { type EventStory, type Fates, judgeEvent, type Said } from '../reference/arbitration.ts'
import { type Chance, createChance } from './chance.ts'
import { DESK, EventDesk } from './event-desk.ts'

export type EventDisagreement = {
  readonly event: number
  readonly story: EventStory
  readonly engine: Fates
  readonly reference: Fates
}

export type EventsReport = {
  readonly events: number
  /** How often each fate was met, whoever was the winner. */
  readonly by_fate: Readonly<Record<string, number>>
  readonly disagreements: readonly EventDisagreement[]
}

export type EventsOptions = {
  readonly events: number
  readonly seed: number
  /** Another second opinion, so that a test can see that a difference is found. */
  readonly opinion?: (story: EventStory) => Fates
}

/** Then another desk is opened: agents that were asked about too often stand in each other's way. */
const EVENTS_A_DESK = 25
const LAWS: readonly Pick<EventStory, 'exclusive' | 'preempting'>[] = [
  { exclusive: 'event', preempting: ['ALERT'] },
  { exclusive: 'resources', preempting: ['ALERT'] },
  { exclusive: 'event', preempting: ['SELL', 'HALT'] },
]

export async function runEventsDifferential(options: EventsOptions): Promise<EventsReport> {
  const { events, seed, opinion = judgeEvent } = options
  const chance = createChance(seed)
  const counts = new Map<string, number>()
  const disagreements: EventDisagreement[] = []
  for (let done = 0; done < events; ) {
    const law = chance.pick(LAWS)
    const desk = await EventDesk.open(law)
    for (let here = 0; here < EVENTS_A_DESK && done < events; here += 1, done += 1) {
      const story = drawStory(chance, law)
      const engine = await desk.play(story)
      const reference = opinion(story)
      for (const fate of Object.values(engine)) {
        const word = fate.replace(/ by .*/, '')
        counts.set(word, (counts.get(word) ?? 0) + 1)
      }
      if (formatFates(engine) !== formatFates(reference))
        disagreements.push({ event: done, story, engine, reference })
    }
    await desk.close()
  }
  const by_fate = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  return { events, by_fate, disagreements }
}

function drawStory(chance: Chance, law: Pick<EventStory, 'exclusive' | 'preempting'>): EventStory {
  const order = drawOrder(
    chance,
    DESK.map(({ agent }) => agent),
  )
  const inWindow = order.slice(0, chance.below(order.length + 1))
  const after = order.slice(inWindow.length).filter(() => chance.once(2))
  const said = inWindow.map((agent) => drawSaid(chance, agent))
  return { ...law, woken: DESK, said, later: after.map((agent) => drawSaid(chance, agent)) }
}

function drawSaid(chance: Chance, agent: string): Said {
  const kind = chance.once(16) ? 'HALT' : chance.pick(['BUY', 'BUY', 'SELL', 'ALERT'] as const)
  const stocks = ['eth', 'btc', 'gold'].filter(() => chance.once(2))
  const judge = (): Said['first'] =>
    chance.pick(['staged', 'staged', 'staged', 'refused', 'escalated'] as const)
  return { agent, kind, holds: stocks, first: chance.once(3) ? judge() : 'staged', turn: judge() }
}

function drawOrder(chance: Chance, names: readonly string[]): readonly string[] {
  const left = [...names]
  return names.map(() => left.splice(chance.below(left.length), 1)[0] ?? '')
}

function formatFates(fates: Fates): string {
  const lines = Object.entries(fates).map(([agent, fate]) => `${agent} ${fate}`)
  return lines.sort().join('\n')
}
