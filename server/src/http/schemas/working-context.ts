/** What an agent is handed when its flow opens, and when it looks again. */
import type {
  ArtifactRef,
  DecisionSaid,
  JsonObject,
  MemoryEntry,
  SessionEvent,
  Trimmed,
  WorkingContext,
} from 'rubicon-kernel'
import { factLabel, stateFact, textFlag, worldFact } from './fact.ts'
import {
  allowNull,
  anything,
  buildArray,
  buildEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  number,
  open,
  string,
} from './shape.ts'
import { sourceLabel } from './source.ts'

const sessionEvent: JsonObject = nameSchema(
  'SessionEvent',
  buildWholeObject<SessionEvent>(
    {
      kind: buildEnum('proposal', 'verdict', 'observation'),
      at: moment,
      label: factLabel,
      text: string,
      tokens: count,
      flags: buildArray(textFlag),
    },
    ['kind'],
  ),
)

/** What agents and providers said: nobody vouches for it. */
const decisionSaid: JsonObject = nameSchema(
  'DecisionSaid',
  buildWholeObject<DecisionSaid>(
    {
      params: open,
      rationale: string,
      details: string,
      result: anything,
      result_label: sourceLabel,
      left_out: buildArray(string),
    },
    ['params', 'rationale', 'details', 'result', 'result_label', 'left_out'],
  ),
)

const memoryEntry: JsonObject = nameSchema(
  'MemoryEntry',
  buildWholeObject<MemoryEntry>(
    {
      at: moment,
      dfid: string,
      attempt: count,
      policy_kind: allowNull(string),
      outcome: string,
      reason_code: allowNull(string),
      summary: string,
      tokens: count,
      said: decisionSaid,
    },
    ['said'],
  ),
)

/** A piece of a reference document, with its rank. */
export const artifactRef: JsonObject = nameSchema(
  'ArtifactRef',
  buildWholeObject<ArtifactRef>({
    artifact: string,
    chunk: count,
    title: string,
    label: factLabel,
    text: string,
    tokens: count,
    score: number,
  }),
)

const trimmed = buildWholeObject<Trimmed>(
  {
    session: count,
    memory: count,
    artifacts: count,
    state: buildArray(string),
    world: buildArray(string),
  },
  ['session', 'memory', 'artifacts', 'state', 'world'],
)

export const workingContext: JsonObject = nameSchema(
  'WorkingContext',
  buildWholeObject<WorkingContext>(
    {
      dfid: string,
      agent_id: string,
      snapshot_id: string,
      schema_version: string,
      compiled_at: moment,
      mission: string,
      // As the contract has them.
      constraints: buildWholeObject({ permissions: open, safety_rules: open }),
      mission_context_hash: string,
      contract_hash: string,
      evidence: buildWholeObject({ h_c: string, h_r: string }),
      trigger: string,
      state: buildArray(stateFact),
      world: buildArray(worldFact),
      session: buildArray(sessionEvent),
      memory: buildArray(memoryEntry),
      artifacts: buildArray(artifactRef),
      policy_schema: buildWholeObject({ schema_version: string, policy_kinds: buildArray(string) }),
      budget: buildWholeObject({ tokens: count, used: count }),
      trimmed,
    },
    ['evidence'],
  ),
)
