/** What `artifact.plan` is called with. The schema of the capability has judged its form. */
import type { ContentHash } from 'rubicon-artifacts/store'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { listArtifactNames, sortNames } from './symbol-name.ts'

export type WantedChange = {
  readonly artifact: string
  /** Left out: the text as it is. */
  readonly base?: ContentHash
  readonly deltas: readonly JsonValue[]
}

export type WantedUndo = { readonly artifact: string; readonly change: ContentHash }

export type PlanParams = {
  /** What it may write; what it does write has to lie within. */
  readonly symbols: readonly string[]
  readonly changes?: readonly WantedChange[]
  readonly undo?: readonly WantedUndo[]
  readonly merge?: { readonly trajectory: string }
}

export const HASH_SCHEMA: JsonObject = { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }
export const NAME_SCHEMA: JsonObject = { type: 'string', minLength: 1, maxLength: 256 }
const SYMBOL_SCHEMA: JsonObject = { type: 'string', minLength: 1, maxLength: 1_024 }

export const SYMBOLS_SCHEMA: JsonObject = {
  type: 'array',
  items: SYMBOL_SCHEMA,
  minItems: 1,
  maxItems: HANDS_LIMITS.symbols,
  description:
    'What it writes: the name of the artifact, a space, the path of the symbol; the name alone for all of it.',
}

export const PLAN_SCHEMA: JsonObject = {
  type: 'object',
  description: 'Exactly one of `changes`, `undo` and `merge`, and the symbols that it writes.',
  properties: {
    symbols: SYMBOLS_SCHEMA,
    changes: {
      type: 'array',
      minItems: 1,
      maxItems: HANDS_LIMITS.artifacts,
      items: {
        type: 'object',
        properties: {
          artifact: NAME_SCHEMA,
          base: HASH_SCHEMA,
          deltas: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 256 },
        },
        required: ['artifact', 'deltas'],
        additionalProperties: false,
      },
    },
    undo: {
      type: 'array',
      minItems: 1,
      maxItems: HANDS_LIMITS.artifacts,
      items: {
        type: 'object',
        properties: { artifact: NAME_SCHEMA, change: HASH_SCHEMA },
        required: ['artifact', 'change'],
        additionalProperties: false,
      },
    },
    merge: {
      type: 'object',
      properties: { trajectory: { type: 'string', minLength: 1, maxLength: 128 } },
      required: ['trajectory'],
      additionalProperties: false,
    },
  },
  required: ['symbols'],
  minProperties: 2,
  maxProperties: 2,
  additionalProperties: false,
}

/** Parameters that the schema has admitted. */
export function toPlanParams(params: JsonObject): PlanParams {
  return params as JsonObject & PlanParams
}

/** All artifacts that it names, each once. */
export function listPlanArtifacts({
  symbols,
  changes = [],
  undo = [],
}: PlanParams): readonly string[] {
  return sortNames([
    ...listArtifactNames(symbols),
    ...changes.map(({ artifact }) => artifact),
    ...undo.map(({ artifact }) => artifact),
  ])
}
