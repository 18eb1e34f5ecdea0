/** `dev`, `reset` and `open`. */
import type { DevProblem } from '../dev/worker-messages.ts'
import { DISPOSABLE_MAKERS } from '../disposable-store.ts'
import { reasonCode } from './pieces.ts'
import {
  buildAnyOfSchema,
  buildClosedSchema,
  buildConstSchema,
  buildEnumSchema,
  buildNullableSchema,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  type OutputSchema,
  text,
} from './shape.ts'

const problem: OutputSchema = buildClosedSchema({
  file: text,
  line: buildNullableSchema(count),
  detail: text,
} satisfies Members<DevProblem>)

function buildEventSchema(
  event: string,
  members: Readonly<Record<string, OutputSchema>>,
): OutputSchema {
  return buildClosedSchema({ event: buildConstSchema(event), ...members })
}

const happened: OutputSchema = buildAnyOfSchema(
  buildEventSchema('serving', {
    url: text,
    store: text,
    state: text,
    token: buildNullableSchema(text),
    token_file: text,
  }),
  buildEventSchema('contract', { file: text, name: text, version: text, changes: listOf(text) }),
  buildEventSchema('monitor', { file: text, name: text, changes: listOf(text) }),
  buildEventSchema('reloaded', { changes: listOf(text) }),
  buildEventSchema('problem', { problems: listOf(problem), keeps: flag }),
  buildEventSchema('warning', { text }),
  buildEventSchema('decision', {
    agent: text,
    outcome: text,
    reason_code: buildNullableSchema(reasonCode),
    flow: text,
  }),
  buildEventSchema('waiting', { agent: text, about: text, reason_code: text }),
  buildEventSchema('repaired', { file: text }),
  buildEventSchema('reset', {}),
)

export const EVERYDAY: Family = {
  dev: {
    prints:
      'one value a line: where the project is served, then whatever happens, until it is stopped',
    shape: happened,
  },
  reset: {
    prints: 'the store, who had made it, and the files that were deleted',
    shape: buildClosedSchema({
      store: text,
      state: text,
      made_by: buildEnumSchema(DISPOSABLE_MAKERS),
      deleted: listOf(text),
    }),
  },
  open: {
    prints: 'where the demo is shown, until it is stopped; without a name, the list',
    shape: buildAnyOfSchema(
      buildClosedSchema({
        name: text,
        url: text,
        expected: flag,
        entries: count,
        token: buildNullableSchema(text),
        token_file: buildNullableSchema(text),
      }),
      listOf(buildClosedSchema({ name: text, summary: text })),
    ),
  },
}
