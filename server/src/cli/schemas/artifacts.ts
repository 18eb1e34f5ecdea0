/** `artifact …`. */
import {
  type ArtifactChangeRow,
  type ArtifactEntry,
  type ArtifactPlanRow,
  type ArtifactRow,
  CHANGE_SUBJECTS,
  PLAN_SUBJECTS,
} from '../../http/schemas/artifact.ts'
import type { AdoptedRow } from '../artifact/adopt.ts'
import type { LineChange } from '../artifact/changed-lines.ts'
import type { ChangeRow } from '../artifact/symbol-changes.ts'
import type { SymbolRow } from '../artifact/symbol-row.ts'
import type { FoundSymbol } from '../artifact/symbols.ts'
import type { EventRow } from '../artifact/undo.ts'
import { failure } from './pieces.ts'
import {
  buildClosedSchema,
  buildEnumSchema,
  buildNullableSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  text,
} from './shape.ts'

const adopted = {
  name: text,
  content_hash: buildNullableSchema(text),
  state: text,
} satisfies Members<AdoptedRow>

const symbolRow = {
  path: text,
  kind: text,
  name: text,
  order: buildEnumSchema(['free', 'fixed']),
  first_line: count,
  last_line: count,
} satisfies Members<SymbolRow>

const foundSymbol = { ...symbolRow, file: text } satisfies Members<FoundSymbol>

const change = buildClosedSchema({
  change: buildEnumSchema(['added', 'removed', 'changed', 'moved', 'renamed']),
  kind: text,
  path: text,
  was: buildNullableSchema(text),
  parts: listOf(buildEnumSchema(['signature', 'body', 'comments'])),
  line: count,
} satisfies Members<ChangeRow>)

const lines = {
  line: count,
  removed: listOf(text),
  added: listOf(text),
} satisfies Members<LineChange>

const event = {
  seq: count,
  at: instant,
  author: text,
  files: listOf(text),
  undoes: buildNullableSchema(count),
  undone_by: buildNullableSchema(count),
} satisfies Members<EventRow>

const side = buildClosedSchema({ file: text, hash: text })

const entry = buildClosedSchema({
  ...{ seq: count, id: text, at: instant, dfid: buildNullableSchema(text) },
} satisfies Members<ArtifactEntry>)

const knownArtifact = {
  ...{ name: text, content_hash: text, bytes: count, media: text },
  ...{ change: buildNullableSchema(text), plans: listOf(text), entry },
} satisfies Members<ArtifactRow>

const knownChange = {
  ...{ seq: count, entry: text, at: instant, dfid: buildNullableSchema(text), name: text },
  ...{ change: buildNullableSchema(text), before: buildNullableSchema(text) },
  ...{ after: buildNullableSchema(text), agent_id: buildNullableSchema(text) },
  ...{ plan: buildNullableSchema(text), undoes: buildNullableSchema(text) },
  what: buildNullableSchema(buildEnumSchema(CHANGE_SUBJECTS)),
  ...{ symbols: listOf(text), summary: buildNullableSchema(text) },
} satisfies Members<ArtifactChangeRow>

const knownPlan = {
  ...{ plan: text, by: text, until: text, expired: flag, what: buildEnumSchema(PLAN_SUBJECTS) },
  artifacts: listOf(buildClosedSchema({ name: text, base: text })),
  ...{ symbols: listOf(text), summary: text, entry },
} satisfies Members<ArtifactPlanRow>

const next = buildNullableSchema(text)

export const ARTIFACTS: Family = {
  'artifact show': {
    prints: 'the symbols of a file; with a path, that symbol and its text',
    shape: buildClosedSchema({
      ...{ file: text, type: text, media: text, hash: text },
      ...{ path: buildNullableSchema(text), text: buildNullableSchema(text) },
      symbols: listOf(buildClosedSchema(symbolRow)),
    }),
  },
  'artifact symbols': {
    prints: 'symbols with their files and lines, and files that could not be read',
    shape: buildClosedSchema({
      symbols: listOf(buildClosedSchema(foundSymbol)),
      refused: listOf(buildClosedSchema({ file: text, error: failure })),
    }),
  },
  'artifact apply': {
    prints:
      'what was changed, or would be, by symbol and by line; and the event, null if nothing was written',
    shape: buildClosedSchema({
      ...{ event: buildNullableSchema(count), file: text, before: text, after: text },
      ...{ changes: listOf(change), lines: listOf(buildClosedSchema(lines)) },
    }),
  },
  'artifact undo': {
    prints: 'the event that was undone and the one that did it; with --list, all events',
    shape: buildClosedSchema({
      events: buildNullableSchema(listOf(buildClosedSchema(event))),
      undone: buildNullableSchema(count),
      event: buildNullableSchema(count),
      files: listOf(text),
      lines: listOf(buildClosedSchema({ file: text, ...lines })),
    }),
  },
  'artifact diff': {
    prints: 'symbols that were added, removed, changed, moved or renamed',
    shape: buildClosedSchema({
      ...{ before: side, after: side, since: buildNullableSchema(count), same: flag },
      changes: listOf(change),
    }),
  },
  'artifact adopt': {
    prints: 'what became of each file: adopted, unchanged, or gone',
    shape: buildClosedSchema({ artifacts: listOf(buildClosedSchema(adopted)) }),
  },
  'artifact list': {
    prints: 'artifacts that the ledger knows at an entry, and a cursor where there are more',
    shape: buildClosedSchema({ artifacts: listOf(buildClosedSchema(knownArtifact)), next }),
  },
  'artifact changes': {
    prints: 'entries that changed what artifacts hold, newest first',
    shape: buildClosedSchema({ changes: listOf(buildClosedSchema(knownChange)), next }),
  },
  'artifact plans': {
    prints: 'open plans, with what they claim and until when',
    shape: buildClosedSchema({ plans: listOf(buildClosedSchema(knownPlan)), next }),
  },
}
