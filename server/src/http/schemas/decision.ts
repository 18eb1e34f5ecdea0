/** Decisions of the past, and what would have become of them. */
import { type JsonObject, STAGES } from 'rubicon-kernel'
import type { CaseOutcome, RuleCoverage } from 'rubicon-runtime/evidence'
import { stateFact } from './fact.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildWholeObject,
  integer,
  nameSchema,
  open,
  string,
} from './shape.ts'

export const decisionOutcomeMembers: Readonly<Record<keyof CaseOutcome, JsonObject>> = {
  outcome: buildEnum('ACCEPTED', 'REJECTED', 'ESCALATED'),
  code: allowNull(string),
}

export const decisionOutcome: JsonObject = nameSchema(
  'DecisionOutcome',
  buildWholeObject(decisionOutcomeMembers),
)

const place = {
  trajectory: string,
  seq: integer,
  leaf: allowNull(integer),
  dfid: string,
  agent_id: string,
  policy_kind: string,
  /** What the proposal is about; empty where it could not be read. */
  object: string,
  at: string,
}

export const decisionRow: JsonObject = nameSchema(
  'DecisionRow',
  buildWholeObject({ ...place, ...decisionOutcomeMembers }),
)

const reason: JsonObject = nameSchema(
  'VerdictReason',
  buildWholeObject({
    id: allowNull(string),
    code: string,
    domain_code: allowNull(string),
    details: open,
  }),
)

const ruleSpoke: JsonObject = nameSchema(
  'RuleSpoke',
  buildWholeObject({ policy: string, rule: string }),
)
const ruleErred: JsonObject = nameSchema(
  'RuleErred',
  buildWholeObject({ policy: string, rule: string, detail: string }),
)

const stage: JsonObject = nameSchema(
  'StageTrace',
  buildWholeObject(
    {
      stage: buildEnum(...STAGES),
      said: buildEnum('pass', 'reject', 'suspend', 'repeat'),
      read: buildArray(string),
      refusals: buildArray(open),
      triggers: buildArray(open),
      policies: buildArray(open),
      measures: buildMap(anything),
    },
    ['refusals', 'triggers', 'policies', 'measures'],
  ),
)

/** One decision, judged again. */
const trial: JsonObject = nameSchema(
  'Trial',
  buildWholeObject({
    decision: decisionRow,
    recorded: decisionOutcome,
    now: decisionOutcome,
    flips: boolean,
    /** Where it was decided; null: every stage passed. */
    stage: allowNull(buildEnum(...STAGES)),
    reasons: buildArray(reason),
    determining: buildArray(ruleSpoke),
    erroring: buildArray(ruleErred),
    trace: buildArray(stage),
    /** What it was judged on. */
    proposal: anything,
    state: buildArray(stateFact),
    /** The contract that it was judged under, as YAML. */
    contract: allowNull(string),
    /** With `save`: a test that `rubicon policy test` runs. */
    saved: allowNull(open),
  }),
)

const flip: JsonObject = nameSchema(
  'Flip',
  buildWholeObject({ ...place, recorded: decisionOutcome, now: decisionOutcome }),
)

const coverage: JsonObject = nameSchema(
  'RuleCoverage',
  buildWholeObject<RuleCoverage>({
    /** Null: a limit of the contract. */
    policy: allowNull(string),
    rule: string,
    line: allowNull(integer),
    evaluated: integer,
    determined: integer,
    erred: integer,
  }),
)

const lastTried: JsonObject = nameSchema(
  'LastTried',
  buildWholeObject({
    decisions: integer,
    skipped: integer,
    since: allowNull(string),
    flips: buildArray(flip),
    coverage: buildArray(coverage),
  }),
)

export const tried: JsonObject = nameSchema(
  'Tried',
  buildWholeObject({ one: allowNull(trial), last: allowNull(lastTried) }),
)
