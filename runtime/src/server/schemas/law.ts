/** The law in force: capabilities, policies, and the hash over all of it. */
import type { JsonObject } from 'rubicon-kernel'
import { boolean, many, mapOf, named, open, orNull, string, whole, words } from '../routes/shape.ts'

const policy: JsonObject = named(
  'LoadedPolicy',
  whole({
    name: string,
    version: string,
    language: words('cedar', 'typescript', 'unpinned'),
    hash: orNull(string),
    applies_to: orNull(many(string)),
    /** As it is written, where that is text. */
    source: orNull(string),
  }),
)

const capability: JsonObject = named(
  'CapabilityInForce',
  whole({
    kind: string,
    version: string,
    summary: string,
    effect: string,
    risk: string,
    reversible: boolean,
    measures: many(string),
    params: open,
    hash: string,
  }),
)

export const law: JsonObject = named(
  'Law',
  whole({
    rules_hash: string,
    compiler_version: string,
    evaluators: mapOf(string),
    policies: many(policy),
    capabilities: many(capability),
  }),
)
