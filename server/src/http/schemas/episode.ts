/** A flow as an example to learn from. */
import type { JsonObject } from 'rubicon-kernel'
import { EPISODE_FORMAT, type Episode } from 'rubicon-runtime/evidence'
import { answerStage } from './answer.ts'
import { decisionOutcomeMembers } from './decision.ts'
import { executionStatus } from './execution.ts'
import { flowState } from './flow.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildUnionEnum,
  buildWholeObject,
  count,
  nameSchema,
  open,
  string,
} from './shape.ts'

type Step = Episode['steps'][number]

const effect: JsonObject = nameSchema(
  'EpisodeEffect',
  buildWholeObject<NonNullable<Step['effect']>>({
    status: executionStatus,
    code: allowNull(string),
    at: string,
    observations: buildArray(anything),
    delta: buildArray(open),
    cost: buildMap(string),
    taken_back: boolean,
  }),
)

const decisionWord = buildUnionEnum<Step['decisions'][number]['decision']>({
  OVERRIDE: true,
  MODIFY: true,
  ABORT: true,
  EXPIRED: true,
})

const decision: JsonObject = nameSchema(
  'EpisodeDecision',
  buildWholeObject<Step['decisions'][number]>({ decision: decisionWord, proposal: anything }, [
    'proposal',
  ]),
)

const step: JsonObject = nameSchema(
  'EpisodeStep',
  buildWholeObject<Step>({
    trajectory: string,
    seq: count,
    at: string,
    attempt: count,
    proposal: anything,
    rules_hash: allowNull(string),
    capability_hash: allowNull(string),
    verdict: buildWholeObject<Step['verdict']>({
      ...decisionOutcomeMembers,
      stage: allowNull(answerStage),
      details: open,
    }),
    decisions: buildArray(decision),
    effect: allowNull(effect),
  }),
)

export const episode: JsonObject = nameSchema(
  'Episode',
  buildWholeObject<Episode>({
    format: buildEnum(EPISODE_FORMAT),
    dfid: string,
    agent_id: string,
    parent_dfid: allowNull(string),
    trigger: string,
    state: flowState,
    opened_at: string,
    updated_at: string,
    contract_hash: string,
    mission_hash: string,
    contexts: buildMap(open),
    steps: buildArray(step),
    erased: count,
    reward: buildWholeObject<Episode['reward']>({
      accepted: count,
      rejected: count,
      escalated: count,
      succeeded: count,
      failed: count,
      uncertain: count,
      taken_back: count,
    }),
  }),
)
