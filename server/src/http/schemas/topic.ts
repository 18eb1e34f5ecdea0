/** Topics with whom they wake, and events as people read them. */
import type {
  AdmissionCount,
  AdmissionRule,
  Arbitration,
  ArbitrationLaw,
  EventObservation,
  EventWinner,
  JsonObject,
  Precedence,
  Subscription,
} from 'rubicon-kernel'
import type {
  AnswerPlace,
  AnswerStanding,
  EventAccount,
  EventAnswer,
  EventOutcome,
  EventStandingView,
  ListedTopic,
  MemberAccount,
  TopicListener,
} from 'rubicon-runtime/engine/flow'
import { agentStatus } from './agent.ts'
import { factLabel, stateFact } from './fact.ts'
import { flowState, flowTag } from './flow.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildUnionEnum,
  buildWholeObject,
  count,
  integer,
  moment,
  nameSchema,
  string,
} from './shape.ts'

const role = buildEnum('MONITOR', 'STRATEGIST', 'EXECUTOR')
const exclusive = buildEnum('event', 'resources')

const subscription: JsonObject = nameSchema(
  'TopicSubscription',
  buildWholeObject<Subscription>({ topic: string, wake_if: { type: 'object' } }, ['wake_if']),
)

const listener: JsonObject = nameSchema(
  'TopicListener',
  buildWholeObject<TopicListener>({
    agent_id: string,
    role,
    priority: integer,
    status: agentStatus,
    subscriptions: buildArray(subscription),
  }),
)

const arbitration = buildWholeObject<Arbitration>({
  window_ms: count,
  exclusive,
  preempting_kinds: buildArray(string),
})

const admissionRule = buildWholeObject<AdmissionRule>(
  {
    table: buildArray(buildWholeObject({ from: string, agents: count })),
    tokens: buildWholeObject({ per_window: count, window_s: count, expected: count }),
  },
  ['table', 'tokens'],
)

export const listedTopic: JsonObject = nameSchema(
  'ListedTopic',
  buildWholeObject<ListedTopic>({
    topic: string,
    in_rules: {
      ...boolean,
      description: 'false: only contracts name it, and each path below it is a topic of its own',
    },
    arbitration: allowNull(arbitration),
    admission: allowNull(admissionRule),
    listeners: buildArray(listener),
    listening: { ...count, description: 'how many there are; the first hundred are named' },
  }),
)

const outcome: JsonObject = nameSchema(
  'EventOutcome',
  buildUnionEnum<EventOutcome>({
    open: true,
    won: true,
    none: true,
    halted: true,
    unarbitrated: true,
    forgotten: true,
  }),
)

const winner: JsonObject = nameSchema(
  'EventWinner',
  buildWholeObject<EventWinner>({
    dfid: string,
    policy_kind: string,
    resources: buildArray(string),
  }),
)

const standing: Readonly<Record<keyof EventStandingView, JsonObject>> = {
  closes_at: { ...allowNull(moment), description: 'null: proposals are not collected' },
  outcome,
  winners: buildArray(winner),
  halted_by: allowNull(string),
}

/** An event in a list. */
export type ListedEvent = EventStandingView & {
  readonly event_id: string
  readonly topic: string
  readonly at: string
  readonly leaf: number
  readonly paths: readonly string[]
  readonly agents: readonly string[]
  readonly woken: number
  readonly not_woken: number
}

export const listedEvent: JsonObject = nameSchema(
  'ListedEvent',
  buildWholeObject<ListedEvent>({
    event_id: string,
    topic: string,
    at: moment,
    leaf: count,
    paths: { ...buildArray(string), description: 'what was observed; the first few' },
    agents: { ...buildArray(string), description: 'who was woken; the first few' },
    woken: count,
    not_woken: count,
    ...standing,
  }),
)

const observation: JsonObject = nameSchema(
  'EventObservation',
  buildWholeObject<EventObservation>({
    path: string,
    version: count,
    source: string,
    label: factLabel,
    value_hash: string,
  }),
)

const answer: JsonObject = nameSchema(
  'EventAnswer',
  buildWholeObject<EventAnswer>({
    at: moment,
    policy_kind: allowNull(string),
    preempting: boolean,
    outcome: buildUnionEnum<AnswerStanding>({
      waiting: true,
      won: true,
      sent: true,
      lost: true,
      halted: true,
      escalated: true,
      refused: true,
    }),
    code: allowNull(string),
    by: { ...allowNull(string), description: 'the flow that it lost to, or that stopped it' },
  }),
)

const place = buildWholeObject<AnswerPlace>({
  rank: { ...count, description: 'from 1 on: the first is carried out' },
  before_next_by: {
    ...allowNull(
      buildUnionEnum<Precedence>({
        kind: true,
        priority: true,
        role: true,
        name: true,
        time: true,
      }),
    ),
    description: 'what puts it before the next one; null: it is the last',
  },
})

const member: JsonObject = nameSchema(
  'EventMember',
  buildWholeObject<MemberAccount>(
    {
      agent: string,
      dfid: string,
      priority: integer,
      role,
      parent: { ...string, description: 'the flow of the event that opened it' },
      ended: buildEnum('superseded', 'gone'),
      flow: {
        ...allowNull(
          buildWholeObject({
            state: flowState,
            tags: buildArray(flowTag),
            steps: buildEnum('one', 'many'),
            rejections: count,
          }),
        ),
        description: 'null: it is not open yet, or never will be',
      },
      answers: buildArray(answer),
      place: allowNull(place),
    },
    ['ended', 'parent'],
  ),
)

const admissionCount = buildWholeObject<AdmissionCount>(
  {
    candidates: count,
    volatility: string,
    by_table: count,
    by_tokens: count,
    tokens_left: integer,
  },
  ['volatility', 'by_table', 'by_tokens', 'tokens_left'],
)

export const eventAccount: JsonObject = nameSchema(
  'EventAccount',
  buildWholeObject<EventAccount>({
    event_id: string,
    topic: string,
    at: moment,
    leaf: { ...allowNull(count), description: 'null: its entry was not found' },
    observations: buildArray(observation),
    not_woken: buildArray(buildWholeObject({ agent: string, code: string })),
    admission: allowNull(admissionCount),
    state_snapshot_id: string,
    state: {
      ...allowNull(buildWholeObject({ facts: buildArray(stateFact), left_off: count })),
      description: 'the one reading of State that its flows share; null: it is no longer kept',
    },
    law: allowNull(
      buildWholeObject<ArbitrationLaw>({ exclusive, preempting_kinds: buildArray(string) }),
    ),
    ...standing,
    members: buildArray(member),
    left_off: { ...count, description: 'members beyond the first two hundred' },
  }),
)
