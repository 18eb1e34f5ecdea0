/** How it went: the first page that people open. */
import type { JsonObject } from 'rubicon-kernel'
import type {
  AllowedAmount,
  HappenedEvent,
  OutcomeCounts,
  SearchedOverview,
  WaitingRequest,
} from '../../search/index.ts'
import { HAPPENINGS, RANGES } from '../../search/index.ts'
import { impact } from './escalation.ts'
import { monitorState } from './monitor.ts'
import { indexed } from './search.ts'
import {
  allowNull,
  buildArray,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  number,
  string,
} from './shape.ts'

export type MovedBudget = {
  readonly agent: string
  /** Of the agent by the hour, or of its window over all flows. */
  readonly of: 'agent' | 'window'
  readonly measure: string
  readonly used: string
  readonly limit: string
  readonly share: number
  readonly resets_at: string | null
}

export type AgentAtRisk = {
  readonly agent: string
  readonly why: 'near_limit' | 'suspended' | 'silent' | 'monitor'
  readonly detail: string
  readonly since: string | null
}

/** Budgets are looked at of some agents only where there are many: of those at work last. */
export type OverviewAgents = {
  readonly of: number
  readonly looked_at: number
  readonly suspended: number
}

export type NearMonitor = {
  readonly id: string
  readonly agent: string
  readonly state: string
  readonly value: string | null
  readonly threshold: string | null
  readonly share: number | null
}

export type OverviewHealth = {
  readonly store: string
  readonly processes: number
  readonly bus: { readonly due: number; readonly dead: number }
  readonly ledger: {
    readonly size: number
    readonly checkpoint: number | null
    readonly checked: number
    readonly passes: number
    readonly verified_at: string | null
  }
  readonly damaged: boolean
  readonly degraded: boolean
  readonly version: string
}

const outcomes: Readonly<Record<keyof OutcomeCounts, JsonObject>> = {
  decided: { ...count, description: 'flows with any of these verdicts' },
  accepted: count,
  rejected: count,
  escalated: count,
}

const waitingRequest = nameSchema(
  'WaitingRequest',
  buildWholeObject<WaitingRequest>({
    id: string,
    dfid: string,
    agent: string,
    kind: allowNull(string),
    object: allowNull(string),
    amount: allowNull(string),
    measure: allowNull(string),
    reason: string,
    impact,
    since: moment,
    expires_at: moment,
  }),
)

const allowedAmount = nameSchema(
  'AllowedAmount',
  buildWholeObject<AllowedAmount>({
    measure: string,
    amount: { ...string, description: 'what was accepted, together' },
    flows: count,
  }),
)

export const movedBudget: JsonObject = nameSchema(
  'MovedBudget',
  buildWholeObject<MovedBudget>({
    agent: string,
    of: buildEnum('agent', 'window'),
    measure: string,
    used: string,
    limit: string,
    share: { ...number, description: 'of the limit; 1: nothing is left' },
    resets_at: allowNull(moment),
  }),
)

const atRisk = nameSchema(
  'AgentAtRisk',
  buildWholeObject<AgentAtRisk>({
    agent: string,
    why: buildEnum('near_limit', 'suspended', 'silent', 'monitor'),
    detail: string,
    since: allowNull(moment),
  }),
)

const agents = nameSchema(
  'OverviewAgents',
  buildWholeObject<OverviewAgents>({
    of: { ...count, description: 'agents that are not retired' },
    looked_at: {
      ...count,
      description:
        'of how many of them `moved` and `at_risk` know the budgets: of those that opened a flow last',
    },
    suspended: {
      ...count,
      description: 'how many are suspended; `at_risk` has 200 of them at most',
    },
  }),
)

const nearMonitor = nameSchema(
  'NearMonitor',
  buildWholeObject<NearMonitor>({
    id: string,
    agent: string,
    state: monitorState,
    value: allowNull(string),
    threshold: allowNull(string),
    share: { ...allowNull(number), description: 'of the way to its threshold' },
  }),
)

const happened = nameSchema(
  'HappenedEvent',
  buildWholeObject<HappenedEvent>({
    leaf: count,
    at: moment,
    what: buildEnum(...HAPPENINGS),
    agent: allowNull(string),
    dfid: allowNull(string),
    who: allowNull(string),
    detail: allowNull(string),
  }),
)

const health = nameSchema(
  'OverviewHealth',
  buildWholeObject<OverviewHealth>({
    store: string,
    processes: {
      ...count,
      description: 'that have the store open and have not been declared dead',
    },
    bus: buildWholeObject({ due: count, dead: count }),
    ledger: buildWholeObject({
      size: count,
      checkpoint: { ...allowNull(count), description: 'entries that the last checkpoint covers' },
      checked: {
        ...count,
        description: 'entries that this process has read again and found whole',
      },
      passes: { ...count, description: 'how often it has read all of them' },
      verified_at: {
        ...allowNull(moment),
        description: 'when it had last read all of them; null: not yet',
      },
    }),
    damaged: { type: 'boolean' },
    degraded: { type: 'boolean', description: 'the registry does not answer' },
    version: string,
  }),
)

export const overviewRange: JsonObject = {
  ...buildEnum(...RANGES),
  description: 'the last hour, day, 7 or 30 days, to the end of the step that is under way',
}

export type Overview = Omit<SearchedOverview, 'silent' | 'recent'> & {
  readonly indexed: object
  readonly moved: readonly MovedBudget[]
  readonly at_risk: readonly AgentAtRisk[]
  readonly agents: OverviewAgents
  readonly monitors: readonly NearMonitor[]
  readonly health: OverviewHealth
}

export const overview: JsonObject = nameSchema(
  'Overview',
  buildWholeObject<Overview>({
    since: moment,
    until: moment,
    step_ms: count,
    indexed,
    decisions: buildWholeObject<SearchedOverview['decisions']>({
      ...outcomes,
      before: {
        ...buildWholeObject<OutcomeCounts>(outcomes),
        description: 'the same span earlier',
      },
    }),
    series: buildArray(
      buildWholeObject<SearchedOverview['series'][number]>({ at: moment, ...outcomes }),
    ),
    allowed: buildArray(allowedAmount),
    reasons: buildArray(buildWholeObject({ code: string, count })),
    waiting: buildWholeObject<SearchedOverview['waiting']>({
      count,
      oldest_at: allowNull(moment),
      median_wait_ms: allowNull(count),
      requests: buildArray(waitingRequest),
    }),
    took: buildWholeObject<SearchedOverview['took']>({
      p50_ms: allowNull(count),
      p99_ms: allowNull(count),
      count,
    }),
    moved: buildArray(movedBudget),
    at_risk: buildArray(atRisk),
    agents,
    monitors: buildArray(nearMonitor),
    happened: buildArray(happened),
    health,
  }),
)
