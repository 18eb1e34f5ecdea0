/**
 * Whose proposal about an event stands, a second time: written from the specification, as a story that is read from its
 * beginning. It shares no code with the kernel or the engine.
 *
 * What it is told of a proposal is how it would be judged when it is made, and how when its turn comes; who then wins, who
 * has lost to whom, who hands on and what a HALT leaves is worked out here.
 */

/** How a proposal is judged. */
type Judged = 'staged' | 'refused' | 'escalated'

/** What one agent says about the event. */
export type Said = {
  readonly agent: string
  readonly kind: string
  /** Names of what it would hold. */
  readonly holds: readonly string[]
  /** When it is made. */
  readonly first: Judged
  /** When its turn comes, if it waits until then: whoever speaks last has its turn at once. */
  readonly turn: Judged
}

export type Rank = {
  readonly agent: string
  readonly priority: number
  readonly role: string
}

export type EventStory = {
  readonly exclusive: 'event' | 'resources'
  readonly preempting: readonly string[]
  /** Whom the event woke. */
  readonly woken: readonly Rank[]
  /** In the window, in the order of time; nobody speaks twice. */
  readonly said: readonly Said[]
  /** After it. */
  readonly later: readonly Said[]
}

/** What became of each agent, by name: `carried out`, `refused`, `escalated`, `silent`, `halts`, `preempted by …`, `halted by …`. */
export type Fates = Readonly<Record<string, string>>

const HALT = 'HALT'
const ROLES: readonly string[] = ['MONITOR', 'STRATEGIST', 'EXECUTOR']

type Course = {
  readonly fates: Map<string, string>
  /** In the order in which they were carried out. */
  readonly winners: Said[]
  /** Whose flows are over without having been carried out. */
  readonly over: Set<string>
}

export function judgeEvent(story: EventStory): Fates {
  const fates = new Map(story.woken.map(({ agent }) => [agent, 'silent']))
  const course: Course = { fates, winners: [], over: new Set() }
  let bids: readonly Said[] = []
  for (const said of story.said) {
    if (said.kind === HALT) return stopEvent(course, said.agent)
    fates.set(said.agent, said.first === 'staged' ? 'waits' : said.first)
    if (said.first === 'staged') bids = [...bids, said]
    // Whoever speaks last has its turn at once, unless somebody before it is refused and waited for again.
    if (!isAnybodyAwaited(story, course)) {
      const atOnce = bids.map((bid) => (bid === said ? { ...bid, turn: bid.first } : bid))
      const left = close(story, course, atOnce, 'early')
      bids = bids.filter(({ agent }) => left.some((one) => one.agent === agent))
    }
  }
  close(story, course, bids, 'in time')
  for (const said of story.later) {
    if (said.kind === HALT) return stopEvent(course, said.agent)
    // What is not allowed at all is told so, whoever has won.
    if (said.first === 'refused') fates.set(said.agent, 'refused')
    else judge(story, course, said, said.first)
    endRequests(story, course)
  }
  return Object.fromEntries(fates)
}

/** Whoever may still speak in the window: not who has bid, waits for a person, or was carried out. */
function isAnybodyAwaited({ exclusive, woken }: EventStory, { fates, winners }: Course): boolean {
  if (exclusive === 'event' && winners.length > 0) return false
  const done = ['waits', 'escalated', 'carried out']
  return woken.some(({ agent }) => !done.includes(fates.get(agent) ?? ''))
}

/** Returns the bids that still wait. */
function close(
  story: EventStory,
  course: Course,
  bids: readonly Said[],
  when: 'early' | 'in time',
): readonly Said[] {
  const { winners } = course
  const waiting = [...bids].sort((a, b) => (isBefore(story, a, b) ? -1 : 1))
  while (waiting.length > 0) {
    if (when === 'early' && isAnybodyAwaited(story, course)) return waiting
    for (const bid of [...waiting])
      if (findWinnerOver(story, winners, bid) !== undefined) {
        judge(story, course, bid, bid.turn)
        waiting.splice(waiting.indexOf(bid), 1)
      }
    const next = waiting.shift()
    if (next !== undefined) judge(story, course, next, next.turn)
  }
  endRequests(story, course)
  return []
}

/** What a person was asked about is void once another has won. */
function endRequests({ exclusive }: EventStory, { fates, winners, over }: Course): void {
  const [winner] = winners
  if (exclusive === 'resources' || winner === undefined) return
  for (const [agent, fate] of fates)
    if (fate === 'escalated') {
      fates.set(agent, `preempted by ${winner.agent}`)
      over.add(agent)
    }
}

function findWinnerOver(
  { exclusive }: EventStory,
  winners: readonly Said[],
  { agent, holds }: Said,
): Said | undefined {
  return winners.find(
    (one) =>
      one.agent !== agent &&
      (exclusive === 'event' || one.holds.some((name) => holds.includes(name))),
  )
}

function judge(story: EventStory, { fates, winners }: Course, said: Said, judged: Judged): void {
  const over = findWinnerOver(story, winners, said)
  if (over !== undefined) fates.set(said.agent, `preempted by ${over.agent}`)
  else if (judged !== 'staged') fates.set(said.agent, judged)
  else {
    winners.push(said)
    fates.set(said.agent, 'carried out')
  }
}

/** Nothing that is not dispatched is any more; nothing that was is called back. */
function stopEvent({ fates, over }: Course, by: string): Fates {
  for (const [agent, fate] of fates)
    if (agent === by) fates.set(agent, 'halts')
    else if (fate !== 'carried out' && !over.has(agent)) fates.set(agent, `halted by ${by}`)
  return Object.fromEntries(fates)
}

function isBefore({ preempting, woken }: EventStory, a: Said, b: Said): boolean {
  const rank = (said: Said): readonly (number | string)[] => {
    const { priority = 0, role = '' } = woken.find(({ agent }) => agent === said.agent) ?? {}
    return [preempting.includes(said.kind) ? 0 : 1, priority, ROLES.indexOf(role), said.agent]
  }
  const [left, right] = [rank(a), rank(b)]
  const at = left.findIndex((member, index) => member !== right[index])
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0)
}
