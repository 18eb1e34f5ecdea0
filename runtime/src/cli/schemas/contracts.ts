/** `contract …` and `agents …`. */
import type { AgentState, AgentStatus } from 'rubicon-kernel'
import type { Change } from '../../contract-file/changes.ts'
import type { AgentSummary } from '../../engine/registry/agent-summary.ts'
import type { Deployed } from '../../engine/registry/deploy.ts'
import type { Spawned } from '../../engine/registry/instances.ts'
import { flowState } from '../../server/schemas/flow.ts'
import { failure } from './pieces.ts'
import {
  always,
  anyOf,
  closed,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  open,
  orNull,
  type Printed,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const unanswered: Schema = listOf(closed({ policy_kind: text, rule: orNull(text) }))

const checked: Schema = anyOf(
  closed({
    file: text,
    ok: always(true),
    agent_id: text,
    version: text,
    not_enforced: listOf(text),
    /** Null: nobody said what capabilities there are. */
    unanswered: orNull(unanswered),
  }),
  closed({ file: text, ok: always(false), error: failure }),
)

const deployed: Schema = closed({
  agent_id: text,
  version: text,
  contract_hash: text,
  unchanged: flag,
  unanswered,
  /** Rules that the contract states and that nothing enforces yet. */
  not_enforced: listOf(text),
} satisfies Members<Deployed & { readonly not_enforced: readonly string[] }>)

const change: Schema = closed({
  path: text,
  before: orNull(text),
  after: orNull(text),
} satisfies Members<Change>)

const status: Schema = wordsOf<AgentStatus>({
  INITIALIZING: true,
  ACTIVE: true,
  SUSPENDED: true,
  RETIRED: true,
})

/** Escalated: active, while a request of the agent waits for somebody. */
const state: Schema = wordsOf<AgentState>({
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
  version: orNull(text),
  owner: orNull(text),
  mission: orNull(text),
  revoked: flag,
  instance_of: orNull(text),
  parent_agent: orNull(text),
  problems: count,
} satisfies Members<AgentSummary>

const moved: Printed = {
  prints: 'the agent, from which state to which, and why',
  shape: closed({ agent_id: text, from: status, to: status, justification: text }),
}

export const CONTRACTS: Family = {
  'contract check': {
    prints: 'each file with its contract, or with what is wrong in it',
    shape: closed({ ok: flag, files: listOf(checked) }),
  },
  'contract deploy': {
    prints: 'the contracts that are now in force',
    shape: closed({ deployed: listOf(deployed) }),
  },
  'contract diff': {
    prints: 'what deploying would change, member by member',
    shape: closed({
      diffs: listOf(
        closed({ agent_id: text, from: orNull(text), to: text, changes: listOf(change) }),
      ),
    }),
  },
  'contract revoke': {
    prints: 'what was revoked, why, and at which authority seq',
    shape: closed({ revoked: text, reason: text, seq: count }),
  },
  'agents list': {
    prints: 'agents with their state and the contract in force',
    shape: closed({ agents: listOf(closed(agent)) }),
  },
  'agents show': {
    prints: 'one agent: contract, versions, instances, recent flows, what is wrong with it',
    shape: closed({
      ...agent,
      problems: listOf(closed({ summary: text, fix: text })),
      /** Of an instance that an agent spawned; null: of everybody else. */
      occasion: orNull(
        closed({
          spawner: text,
          until: anyOf(closed({ flow: text }), closed({ at: text })),
          ends_at: text,
        }),
      ),
      // The rest of a contract is docs/spec/contract.md's.
      contract: orNull(open({ agent_id: text, version: text })),
      versions: listOf(closed({ version: text, contract_hash: text, seq: count, revoked: flag })),
      instances: listOf(closed({ agent_id: text, status })),
      flows: listOf(closed({ dfid: text, state: flowState, trigger: text })),
    }),
  },
  'agents suspend': moved,
  'agents reactivate': moved,
  'agents retire': moved,
  'agents kill': {
    prints: 'the agent, from which state to which, why, and at which authority seq',
    shape: closed({ agent_id: text, from: status, to: status, reason: text, seq: count }),
  },
  'agents spawn': {
    prints: 'the instance and its contract',
    shape: closed({
      agent_id: text,
      instance_of: text,
      version: text,
      contract_hash: text,
      unchanged: flag,
    } satisfies Members<Spawned>),
  },
}
