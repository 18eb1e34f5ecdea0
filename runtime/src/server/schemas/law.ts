/** The law in force: capabilities, policies, and the hash over all of it. */
import type { RulesChange as Change, EffectClass, JsonObject, RiskClass } from 'rubicon-kernel'
import type { RulesState } from '../../engine/registry/record-rules.ts'
import {
  boolean,
  buildWholeObject,
  many,
  mapOf,
  named,
  open,
  orNull,
  string,
  words,
  wordsOf,
} from '../routes/shape.ts'

const policy: JsonObject = named(
  'LoadedPolicy',
  buildWholeObject({
    name: string,
    version: string,
    language: words('cedar', 'typescript', 'unpinned'),
    hash: orNull(string),
    applies_to: orNull(many(string)),
    /** As it is written, where that is text. */
    source: orNull(string),
  }),
)

const effectClass = wordsOf<EffectClass>({
  read: true,
  put_if_match: true,
  keyed: true,
  queryable: true,
  unsafe: true,
})

const riskClass = wordsOf<RiskClass>({ low: true, medium: true, high: true, critical: true })

const capability: JsonObject = named(
  'CapabilityInForce',
  buildWholeObject({
    kind: string,
    version: string,
    summary: string,
    effect: effectClass,
    risk: riskClass,
    reversible: boolean,
    measures: many(string),
    params: open,
    hash: string,
  }),
)

const change: JsonObject = named(
  'RulesChange',
  buildWholeObject<Change>(
    {
      what: words('policy', 'capability', 'version'),
      name: string,
      change: words('added', 'changed', 'gone'),
      from: string,
      to: string,
    },
    ['from', 'to'],
  ),
)

/** What is held against what is recorded as in force. */
export const standing: JsonObject = named(
  'RulesState',
  buildWholeObject<RulesState>({
    kind: words('in_force', 'not_in_force'),
    until: orNull(string),
    held: string,
    recorded: orNull(string),
    changes: many(change),
    acceptance: orNull(string),
  }),
)

export const law: JsonObject = named(
  'Law',
  buildWholeObject({
    rules_hash: string,
    compiler_version: string,
    evaluators: mapOf(string),
    policies: many(policy),
    capabilities: many(capability),
    standing,
  }),
)
