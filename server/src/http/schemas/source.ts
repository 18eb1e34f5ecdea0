/** A source of facts, as it is registered. */
import type { FactSource, JsonObject, SourceLabel } from 'rubicon-kernel'
import type { RegisteredSource } from 'rubicon-runtime/engine/authority'
import {
  allowNull,
  boolean,
  buildArray,
  buildMap,
  buildUnionEnum,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from './shape.ts'

export const sourceLabel: JsonObject = nameSchema(
  'SourceLabel',
  buildUnionEnum<SourceLabel>({ trusted: true, operator: true, external: true }),
)

const factSource = nameSchema(
  'FactSource',
  buildWholeObject<FactSource>(
    {
      source_id: string,
      label: sourceLabel,
      paths: buildArray(string),
      max_paths: count,
      key: string,
    },
    ['key'],
  ),
)

export const sourceList: JsonObject = buildWholeObject({
  sources: buildArray(factSource),
  /** By the name of a source: when it last reported what still stands; null: too many paths to tell. */
  reported: allowNull(buildMap(moment)),
})

export const registeredSource: JsonObject = buildWholeObject<RegisteredSource>({
  source: factSource,
  unchanged: boolean,
})
