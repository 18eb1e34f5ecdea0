/** `contract …` and `agents …`. */
import type { AgentState, AgentStatus } from 'rubicon-kernel'
import type { Change } from 'rubicon-runtime/contract-file'
import type { AgentSummary, Deployed, Spawned } from 'rubicon-runtime/engine/authority'
import { flowState } from '../../http/schemas/flow.ts'
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
  open,
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

/** Escalated: active, while a request of the agent waits for somebody. */
const state: OutputSchema = buildUnionSchema<AgentState>({
  INITIALIZING: true,
  ACTIVE: true,
  ESCALATED: true,
  SUSPENDED: true,
  RETIRED: true,
})

const agent = {
  agent_id: text,
  status: state,
  waiting: count,
  version: buildNullableSchema(text),
  owner: buildNullableSchema(text),
  mission: buildNullableSchema(text),
  revoked: flag,
  instance_of: buildNullableSchema(text),
  parent_agent: buildNullableSchema(text),
  problems: count,
} satisfies Members<AgentSummary>

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
    shape: buildClosedSchema({ agents: listOf(buildClosedSchema(agent)) }),
  },
  'agents show': {
    prints: 'one agent: contract, versions, instances, recent flows, what is wrong with it',
    shape: buildClosedSchema({
      ...agent,
      problems: listOf(buildClosedSchema({ summary: text, fix: text })),
      /** Of an instance that an agent spawned; null: of everybody else. */
      occasion: buildNullableSchema(
        buildClosedSchema({
          spawner: text,
          until: buildAnyOfSchema(
            buildClosedSchema({ flow: text }),
            buildClosedSchema({ at: text }),
          ),
          ends_at: text,
        }),
      ),
      // The rest of a contract is docs/spec/contract.md's.
      contract: buildNullableSchema(open({ agent_id: text, version: text })),
      versions: listOf(
        buildClosedSchema({ version: text, contract_hash: text, seq: count, revoked: flag }),
      ),
      instances: listOf(buildClosedSchema({ agent_id: text, status })),
      flows: listOf(buildClosedSchema({ dfid: text, state: flowState, trigger: text })),
    }),
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
