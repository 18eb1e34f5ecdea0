/** The law in force: capabilities, policies, and the hash over all of it. */
import type { RulesChange as Change, EffectClass, JsonObject, RiskClass } from 'rubicon-kernel'
import type { RulesState } from 'rubicon-runtime/engine/authority'
import type { RuleHead, UnknownName } from 'rubicon-runtime/policies'
import { documentProblem } from './contract.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildUnionEnum,
  buildWholeObject,
  integer,
  nameSchema,
  open,
  string,
} from './shape.ts'

const ruleHead: JsonObject = nameSchema(
  'LoadedRule',
  buildWholeObject<RuleHead>({
    id: string,
    line: integer,
    effect: buildEnum('permit', 'forbid'),
    channel: allowNull(string),
    reason: allowNull(string),
    actions: allowNull(buildArray(string)),
    agents: allowNull(buildArray(string)),
  }),
)

const policy: JsonObject = nameSchema(
  'LoadedPolicy',
  buildWholeObject({
    name: string,
    version: string,
    language: buildEnum('cedar', 'typescript', 'unpinned'),
    hash: allowNull(string),
    applies_to: allowNull(buildArray(string)),
    /** As it is written, where that is text. */
    source: allowNull(string),
    /** What the heads of its rules say; of a policy in code nothing is known. */
    rules: buildArray(ruleHead),
  }),
)

/** A text that was checked; with `ok` it may still name what nothing has. */
export const checkedPolicy: JsonObject = nameSchema(
  'CheckedPolicy',
  buildWholeObject({
    ok: boolean,
    code: allowNull(string),
    summary: allowNull(string),
    problems: buildArray(documentProblem),
    hash: allowNull(string),
    rules: buildArray(buildWholeObject({ id: string, line: integer })),
    unknown: buildArray(
      buildWholeObject<UnknownName>({
        rule: allowNull(string),
        line: allowNull(integer),
        name: string,
        why: string,
      }),
    ),
  }),
)

export const effectClass: JsonObject = buildUnionEnum<EffectClass>({
  read: true,
  put_if_match: true,
  keyed: true,
  queryable: true,
  unsafe: true,
})

const riskClass = buildUnionEnum<RiskClass>({ low: true, medium: true, high: true, critical: true })

const capability: JsonObject = nameSchema(
  'CapabilityInForce',
  buildWholeObject({
    kind: string,
    version: string,
    summary: string,
    effect: effectClass,
    risk: riskClass,
    reversible: boolean,
    measures: buildArray(string),
    scopes: buildMap(string),
    params: open,
    hash: string,
  }),
)

const change: JsonObject = nameSchema(
  'RulesChange',
  buildWholeObject<Change>(
    {
      what: buildEnum('policy', 'capability', 'version', 'topology'),
      name: string,
      change: buildEnum('added', 'changed', 'gone'),
      from: string,
      to: string,
    },
    ['from', 'to'],
  ),
)

/** What is held against what is recorded as in force. */
export const standing: JsonObject = nameSchema(
  'RulesState',
  buildWholeObject<RulesState>({
    kind: buildEnum('in_force', 'not_in_force'),
    until: allowNull(string),
    held: string,
    recorded: allowNull(string),
    changes: buildArray(change),
    acceptance: allowNull(string),
  }),
)

export const law: JsonObject = nameSchema(
  'Law',
  buildWholeObject({
    rules_hash: string,
    compiler_version: string,
    evaluators: buildMap(string),
    policies: buildArray(policy),
    capabilities: buildArray(capability),
    standing,
  }),
)
