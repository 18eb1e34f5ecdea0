/** `source …`. */
import type { FactSource, SourceLabel } from 'rubicon-kernel'
import type { RegisteredSource } from 'rubicon-runtime/engine/authority'
import {
  buildClosedSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  text,
} from './shape.ts'

const source: OutputSchema = buildClosedSchema({
  source_id: text,
  label: buildUnionSchema<SourceLabel>({ trusted: true, operator: true, external: true }),
  paths: listOf(text),
  max_paths: count,
  key: markOptional(text),
} satisfies Members<FactSource>)

export const SOURCES: Family = {
  'source list': {
    prints: 'the sources of facts that are registered',
    shape: buildClosedSchema({ sources: listOf(source) }),
  },
  'source add': {
    prints: 'the source as it is registered now',
    shape: buildClosedSchema({ source, unchanged: flag } satisfies Members<RegisteredSource>),
  },
  'source retire': {
    prints: 'which source has ended, and at which authority entry',
    shape: buildClosedSchema({ retired: text, seq: count }),
  },
}
