/** Who listens to what: the topics of the rules in force and of contracts, each with the agents that its events may wake. */
import {
  type AdmissionRule,
  type AgentStatus,
  type Arbitration,
  type Authority,
  compareByPriority,
  findAgentStatus,
  findCurrentContract,
  getArbitration,
  isPrefixCovering,
  listSubscriptions,
  type Role,
  type Subscription,
  type TopicRow,
} from 'rubicon-kernel'

export type TopicListener = {
  readonly agent_id: string
  readonly role: Role
  readonly priority: number
  /** One that is suspended or retired is not woken. */
  readonly status: AgentStatus
  /** What of its contract is about the topic. */
  readonly subscriptions: readonly Subscription[]
}

export type ListedTopic = {
  readonly topic: string
  /** False: only contracts name it, and each path below it is a topic of its own. */
  readonly in_rules: boolean
  /** Null: every proposal is judged by itself. */
  readonly arbitration: Arbitration | null
  /** Null: every listener is woken. */
  readonly admission: AdmissionRule | null
  /** The first in the order of priority. */
  readonly listeners: readonly TopicListener[]
  /** How many there are. */
  readonly listening: number
}

/** Listeners of one topic that are named. */
const NAMED_LISTENERS = 100

/** Which of them, in the order of their names. */
export type TopicRange = { readonly from: number; readonly limit: number }

/** By name. There may be as many as instances were ever made: `pause` lets others have the thread in between. */
export async function listTopics(
  authority: Authority,
  now: string,
  { from, limit }: TopicRange,
  pause: () => Promise<unknown>,
): Promise<readonly ListedTopic[]> {
  const rows = authority.rules?.rules.topics ?? []
  const heard = new Map<string, TopicListener[]>(rows.map(({ topic }) => [topic, []]))
  for (const agent of authority.statuses.keys()) {
    await pause()
    for (const { topic, listener } of listHeardTopics(authority, rows, agent, now))
      addTo(heard, topic, listener)
  }
  const names = [...heard.keys()].toSorted().slice(from, from + limit)
  return names.map((topic) => describeTopic(rows, topic, heard.get(topic) ?? []))
}

function describeTopic(
  rows: readonly TopicRow[],
  topic: string,
  heard: readonly TopicListener[],
): ListedTopic {
  const row = rows.find((one) => one.topic === topic)
  return {
    topic,
    in_rules: row !== undefined,
    arbitration: row === undefined ? null : getArbitration(row),
    admission: row?.admission ?? null,
    listeners: heard.toSorted(compareByPriority).slice(0, NAMED_LISTENERS),
    listening: heard.length,
  }
}

type HeardTopic = { readonly topic: string; readonly listener: TopicListener }

function listHeardTopics(
  authority: Authority,
  rows: readonly TopicRow[],
  agent: string,
  now: string,
): readonly HeardTopic[] {
  const contract = findCurrentContract(authority, agent, now)?.contract
  const status = findAgentStatus(authority, agent)
  if (contract === undefined || status === undefined) return []
  const { agent_id, role, priority } = contract
  const byTopic = new Map<string, Subscription[]>()
  for (const one of listSubscriptions(contract))
    for (const topic of listTopicsOf(rows, one)) addTo(byTopic, topic, one)
  return [...byTopic].map(([topic, subscriptions]) => {
    return { topic, listener: { agent_id, role, priority, status, subscriptions } }
  })
}

/** Rows that some of its paths fit, and itself where others are left. */
function listTopicsOf(rows: readonly TopicRow[], { topic }: Subscription): readonly string[] {
  const fitting = rows.map((row) => row.topic)
  const shared = fitting.filter(
    (one) => isPrefixCovering(one, topic) || isPrefixCovering(topic, one),
  )
  const isWhole = fitting.some((one) => isPrefixCovering(one, topic))
  return isWhole ? shared : [...new Set([...shared, topic])]
}

function addTo<Value>(lists: Map<string, Value[]>, name: string, value: Value): void {
  const known = lists.get(name)
  if (known === undefined) lists.set(name, [value])
  else known.push(value)
}
