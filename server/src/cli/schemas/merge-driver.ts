/** `merge-driver …`. */
import {
  buildClosedSchema,
  buildEnumSchema,
  buildNullableSchema,
  type Family,
  flag,
  listOf,
  text,
} from './shape.ts'

const changed = buildClosedSchema({
  scope: buildEnumSchema(['local', 'global']),
  config: listOf(buildClosedSchema({ key: text, value: text })),
  attributes: text,
  lines: listOf(text),
  kept: listOf(text),
})

export const MERGE_DRIVER: Family = {
  'merge-driver install': {
    prints:
      'what was set in git, the lines that were added, and the patterns that were set already',
    shape: changed,
  },
  'merge-driver uninstall': {
    prints: 'what was removed from git, and the lines that were taken out',
    shape: changed,
  },
  'merge-driver run': {
    prints: 'whether the file is merged, by symbols or by lines and why, and its conflicts',
    shape: buildClosedSchema({
      merged: flag,
      path: text,
      by: buildEnumSchema(['symbols', 'lines']),
      fallback: buildNullableSchema(text),
      conflicts: listOf(buildClosedSchema({ kind: text, path: text, reason: text })),
    }),
  },
}
