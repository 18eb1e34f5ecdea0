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
import {
  anything,
  buildWholeObject,
  count,
  many,
  moment,
  named,
  number,
  open,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { factLabel, stateFact, textFlag, worldFact } from './fact.ts'

const sessionEvent: JsonObject = named(
  'SessionEvent',
  buildWholeObject<SessionEvent>(
    {
      kind: words('proposal', 'verdict', 'observation'),
      at: moment,
      label: factLabel,
      text: string,
      tokens: count,
      flags: many(textFlag),
    },
    ['kind'],
  ),
)

/** What agents and providers said: nobody vouches for it. */
const decisionSaid: JsonObject = named(
  'DecisionSaid',
  buildWholeObject<DecisionSaid>(
    {
      params: open,
      rationale: string,
      details: string,
      result: anything,
      left_out: many(string),
    },
    ['params', 'rationale', 'details', 'result', 'left_out'],
  ),
)

const memoryEntry: JsonObject = named(
  'MemoryEntry',
  buildWholeObject<MemoryEntry>(
    {
      at: moment,
      dfid: string,
      attempt: count,
      policy_kind: orNull(string),
      outcome: string,
      reason_code: orNull(string),
      summary: string,
      tokens: count,
      said: decisionSaid,
    },
    ['said'],
  ),
)

/** A piece of a reference document, with its rank. */
export const artifactRef: JsonObject = named(
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
    state: many(string),
    world: many(string),
  },
  ['session', 'memory', 'artifacts', 'state', 'world'],
)

export const workingContext: JsonObject = named(
  'WorkingContext',
  buildWholeObject<WorkingContext>({
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
    trigger: string,
    state: many(stateFact),
    world: many(worldFact),
    session: many(sessionEvent),
    memory: many(memoryEntry),
    artifacts: many(artifactRef),
    policy_schema: buildWholeObject({ schema_version: string, policy_kinds: many(string) }),
    budget: buildWholeObject({ tokens: count, used: count }),
    trimmed,
  }),
)
