/** Decisions of the past, and what would have become of them. */
import type { JsonObject } from 'rubicon-kernel'
import type { RuleCoverage } from '../../evidence/coverage.ts'
import {
  anything,
  boolean,
  buildWholeObject,
  integer,
  many,
  mapOf,
  named,
  open,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { STAGES } from './answer.ts'
import { stateFact } from './fact.ts'

const outcome = {
  outcome: words('ACCEPTED', 'REJECTED', 'ESCALATED'),
  code: orNull(string),
}

export const decisionOutcome: JsonObject = named('DecisionOutcome', buildWholeObject(outcome))

const place = {
  trajectory: string,
  seq: integer,
  leaf: orNull(integer),
  dfid: string,
  agent_id: string,
  policy_kind: string,
  /** What the proposal is about; empty where it could not be read. */
  object: string,
  at: string,
}

export const decisionRow: JsonObject = named(
  'DecisionRow',
  buildWholeObject({ ...place, ...outcome }),
)

const reason: JsonObject = named(
  'VerdictReason',
  buildWholeObject({
    id: orNull(string),
    code: string,
    domain_code: orNull(string),
    details: open,
  }),
)

const ruleSpoke: JsonObject = named('RuleSpoke', buildWholeObject({ policy: string, rule: string }))
const ruleErred: JsonObject = named(
  'RuleErred',
  buildWholeObject({ policy: string, rule: string, detail: string }),
)

const stage: JsonObject = named(
  'StageTrace',
  buildWholeObject(
    {
      stage: words(...STAGES),
      said: words('pass', 'reject', 'suspend', 'repeat'),
      read: many(string),
      refusals: many(open),
      triggers: many(open),
      policies: many(open),
      measures: mapOf(anything),
    },
    ['refusals', 'triggers', 'policies', 'measures'],
  ),
)

/** One decision, judged again. */
const trial: JsonObject = named(
  'Trial',
  buildWholeObject({
    decision: decisionRow,
    recorded: decisionOutcome,
    now: decisionOutcome,
    flips: boolean,
    /** Where it was decided; null: every stage passed. */
    stage: orNull(words(...STAGES)),
    reasons: many(reason),
    determining: many(ruleSpoke),
    erroring: many(ruleErred),
    trace: many(stage),
    /** What it was judged on. */
    proposal: anything,
    state: many(stateFact),
    /** The contract that it was judged under, as YAML. */
    contract: orNull(string),
    /** With `save`: a test that `rubicon policy test` runs. */
    saved: orNull(open),
  }),
)

const flip: JsonObject = named(
  'Flip',
  buildWholeObject({ ...place, recorded: decisionOutcome, now: decisionOutcome }),
)

const coverage: JsonObject = named(
  'RuleCoverage',
  buildWholeObject<RuleCoverage>({
    /** Null: a limit of the contract. */
    policy: orNull(string),
    rule: string,
    line: orNull(integer),
    evaluated: integer,
    determined: integer,
    erred: integer,
  }),
)

const lastTried: JsonObject = named(
  'LastTried',
  buildWholeObject({
    decisions: integer,
    skipped: integer,
    since: orNull(string),
    flips: many(flip),
    coverage: many(coverage),
  }),
)

export const tried: JsonObject = named(
  'Tried',
  buildWholeObject({ one: orNull(trial), last: orNull(lastTried) }),
)
