/** `contract …` and `agents …`. */
import type { AgentStatus } from 'rubicon-kernel'
import type { Change } from 'rubicon-runtime/contract-file'
import type { Deployed, Spawned } from 'rubicon-runtime/engine/authority'
import { agentSummary } from '../../http/schemas/agent.ts'
import { agentDetail } from '../../http/schemas/agent-detail.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { failure } from './pieces.ts'
import {
  buildAnyOfSchema,
  buildClosedSchema,
  buildConstSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  type OutputSchema,
  type Printed,
  text,
} from './shape.ts'

const unanswered: OutputSchema = listOf(
  buildClosedSchema({ policy_kind: text, rule: buildNullableSchema(text) }),
)

const checked: OutputSchema = buildAnyOfSchema(
  buildClosedSchema({
    file: text,
    ok: buildConstSchema(true),
    agent_id: text,
    version: text,
    not_enforced: listOf(text),
    /** Null: nobody said what capabilities there are. */
    unanswered: buildNullableSchema(unanswered),
  }),
  buildClosedSchema({ file: text, ok: buildConstSchema(false), error: failure }),
)

const deployed: OutputSchema = buildClosedSchema({
  agent_id: text,
  version: text,
  contract_hash: text,
  unchanged: flag,
  unanswered,
  /** Rules that the contract states and that nothing enforces yet. */
  not_enforced: listOf(text),
} satisfies Members<Deployed & { readonly not_enforced: readonly string[] }>)

const change: OutputSchema = buildClosedSchema({
  path: text,
  before: buildNullableSchema(text),
  after: buildNullableSchema(text),
} satisfies Members<Change>)

const status: OutputSchema = buildUnionSchema<AgentStatus>({
  INITIALIZING: true,
  ACTIVE: true,
  SUSPENDED: true,
  RETIRED: true,
})

const moved: Printed = {
  prints: 'the agent, from which state to which, and why',
  shape: buildClosedSchema({ agent_id: text, from: status, to: status, justification: text }),
}

export const CONTRACTS: Family = {
  'contract check': {
    prints: 'each file with its contract, or with what is wrong in it',
    shape: buildClosedSchema({ ok: flag, files: listOf(checked) }),
  },
  'contract deploy': {
    prints: 'the contracts that are now in force',
    shape: buildClosedSchema({ deployed: listOf(deployed) }),
  },
  'contract diff': {
    prints: 'what deploying would change, member by member',
    shape: buildClosedSchema({
      diffs: listOf(
        buildClosedSchema({
          agent_id: text,
          from: buildNullableSchema(text),
          to: text,
          changes: listOf(change),
        }),
      ),
    }),
  },
  'contract revoke': {
    prints: 'what was revoked, why, and at which authority seq',
    shape: buildClosedSchema({ revoked: text, reason: text, seq: count }),
  },
  'agents list': {
    prints: 'agents with their state and the contract in force',
    shape: buildPageSchema('agents', agentSummary),
  },
  'agents show': {
    prints: 'one agent: its state and why, contract, budgets, open flows, what is wrong with it',
    shape: agentDetail,
  },
  'agents suspend': moved,
  'agents reactivate': moved,
  'agents retire': moved,
  'agents kill': {
    prints: 'the agent, from which state to which, why, and at which authority seq',
    shape: buildClosedSchema({
      agent_id: text,
      from: status,
      to: status,
      reason: text,
      seq: count,
    }),
  },
  'agents spawn': {
    prints: 'the instance and its contract',
    shape: buildClosedSchema({
      agent_id: text,
      instance_of: text,
      version: text,
      contract_hash: text,
      unchanged: flag,
    } satisfies Members<Spawned>),
  },
}
