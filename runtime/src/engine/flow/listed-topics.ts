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

/** By name. */
export function listTopics(authority: Authority, now: string): readonly ListedTopic[] {
  const rows = authority.rules?.rules.topics ?? []
  const heard = new Map<string, TopicListener[]>(rows.map(({ topic }) => [topic, []]))
  for (const agent of authority.statuses.keys())
    for (const { topic, listener } of listHeardTopics(authority, rows, agent, now))
      addTo(heard, topic, listener)
  return [...heard.keys()].toSorted().map((topic) => {
    const row = rows.find((one) => one.topic === topic)
    const listeners = (heard.get(topic) ?? []).toSorted(compareByPriority)
    return {
      topic,
      in_rules: row !== undefined,
      arbitration: row === undefined ? null : getArbitration(row),
      admission: row?.admission ?? null,
      listeners: listeners.slice(0, NAMED_LISTENERS),
      listening: listeners.length,
    }
  })
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
