/** What `bench artifacts` prints: edits, by format and by who did them. */
import {
  buildMapSchema,
  buildNullableSchema,
  count,
  flag,
  listOf,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const opFigures: OutputSchema = open({
  ...{ tried: count, applied: count, other_lines: count, lines: count },
  not_applied: buildMapSchema(count),
})

const editTotals = { tried: count, applied: count, other_lines: count, lines: count }

const editFigures = {
  ...{ files: count, files_with_other_lines: count, first: listOf(text) },
  by_op: open({ add: opFigures, replace: opFigures, rename: opFigures, remove: opFigures }),
}

const formatFigures: OutputSchema = open({
  ...{ files: count, tiled: count, unread: buildMapSchema(count), untiled: listOf(text) },
  edits: open(editFigures),
})

const artifactPeer: OutputSchema = open({
  ...{ missing: buildNullableSchema(text), totals: open(editTotals), ...editFigures },
})

export const ARTIFACT_FIGURES: OutputSchema = open({
  ...{ files: count, tiled: count, packages: count, missing_packages: listOf(text) },
  ...{ skipped: buildMapSchema(count), seed: count, ok: flag },
  edits: open({
    ...editTotals,
    ...{ files: count, files_with_other_lines: count, not_restored: count },
  }),
  judge: open({
    ...{ judged: count, read: count, broken: count, mistaken_files: buildMapSchema(count) },
    ...{ first_broken: listOf(text), missing: buildNullableSchema(text) },
  }),
  rename: open({
    ...{ compared: count, exact: count, different: count, only_ours: count, only_theirs: count },
    first_different: listOf(text),
  }),
  peers: open({
    ...{ ts_morph: artifactPeer, recast: artifactPeer, yaml: artifactPeer, remark: artifactPeer },
  }),
  formats: open({
    ...{ typescript: formatFigures, json: formatFigures },
    ...{ yaml: formatFigures, markdown: formatFigures },
  }),
})
