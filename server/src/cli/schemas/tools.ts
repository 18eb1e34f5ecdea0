/** `tool …`. */
import type { ToolRow } from '../tool-list.ts'
import { failure } from './pieces.ts'
import {
  buildClosedSchema,
  buildNullableSchema,
  type Family,
  flag,
  listOf,
  type Members,
  text,
} from './shape.ts'

const row = {
  file: text,
  kind: buildNullableSchema(text),
  version: buildNullableSchema(text),
  effect: buildNullableSchema(text),
  risk: buildNullableSchema(text),
  goes_to: listOf(text),
  secrets: listOf(text),
  allowed: flag,
  problems: listOf(text),
} satisfies Members<ToolRow>

export const TOOLS: Family = {
  'tool list': {
    prints: 'the tools of a tools file, with what each names and whether it is allowed',
    shape: buildClosedSchema({ tools: listOf(buildClosedSchema(row)) }),
  },
  'tool check': {
    prints: 'the tools that would load, and each that would not with what is wrong in it',
    shape: buildClosedSchema({
      ok: flag,
      tools: listOf(buildClosedSchema({ file: text, kind: text, version: text })),
      refused: listOf(buildClosedSchema({ file: text, error: failure })),
    }),
  },
  'tool add': {
    prints: 'what was listed where, and what has to be allowed before it loads',
    shape: buildClosedSchema({
      tools: text,
      created: flag,
      file: text,
      kind: text,
      goes_to: listOf(text),
      secrets: listOf(text),
      allowed: flag,
      to_allow: listOf(buildClosedSchema({ pointer: text, code: text, detail: text })),
    }),
  },
  'tool import': {
    prints:
      'the manifests that were drafted, what is undecided in each, and all operations of the document',
    shape: buildClosedSchema({
      written: listOf(buildClosedSchema({ file: text, kind: text, undecided: listOf(text) })),
      operations: listOf(buildClosedSchema({ name: text, method: text, path: text })),
    }),
  },
}
