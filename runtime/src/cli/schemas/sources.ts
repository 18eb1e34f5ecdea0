/** `source …`. */
import type { FactSource, SourceLabel } from 'rubicon-kernel'
import type { RegisteredSource } from '../../engine/registry/fact-sources.ts'
import {
  closed,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  optional,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const source: Schema = closed({
  source_id: text,
  label: wordsOf<SourceLabel>({ trusted: true, operator: true, external: true }),
  paths: listOf(text),
  max_paths: count,
  key: optional(text),
} satisfies Members<FactSource>)

export const SOURCES: Family = {
  'source list': {
    prints: 'the sources of facts that are registered',
    shape: closed({ sources: listOf(source) }),
  },
  'source add': {
    prints: 'the source as it is registered now',
    shape: closed({ source, unchanged: flag } satisfies Members<RegisteredSource>),
  },
  'source retire': {
    prints: 'which source has ended, and at which authority entry',
    shape: closed({ retired: text, seq: count }),
  },
}
