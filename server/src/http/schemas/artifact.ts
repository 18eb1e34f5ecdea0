/** Artifacts as the ledger knows them at an entry, what they hold, and what changed them. */
import type { DeskSymbol, DifferentLines, DifferentSymbol } from 'rubicon-artifacts/desk'
import type { JsonObject } from 'rubicon-kernel'
import { entryMoment } from './ledger.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildEnum,
  buildWholeObject,
  count,
  integer,
  nameSchema,
  string,
} from './shape.ts'

/** How much of artifacts one answer has. */
export const ARTIFACT_ANSWER = {
  /** The path of a symbol that is asked for, in characters. */
  pathLength: 4_096,
  /** A text that is read at all, in bytes; one that is shown, in characters. */
  textBytes: 4_194_304,
  textLength: 1_048_576,
  /** Symbols and lines of a comparison, and characters of these lines. */
  differences: 2_000,
  lines: 4_000,
  linesLength: 524_288,
  /** Of a change, the symbols that it wrote, and what is said of it. */
  symbols: 64,
  summaryLength: 200,
} as const

/** What an artifact is at an entry: a fact of World. */
export type ArtifactFact = {
  readonly content_hash: string
  readonly bytes: number
  readonly media: string
  /** The address of the record of its last change; null: it was never changed here. */
  readonly change: string | null
  /** Open plans that claim something of it. */
  readonly plans: readonly string[]
}

export type ArtifactRow = ArtifactFact & {
  readonly name: string
  readonly entry: ArtifactEntry
}

/** The entry that changed a fact last. */
export type ArtifactEntry = {
  readonly seq: number
  readonly id: string
  readonly at: string
  readonly dfid: string | null
}

export const PLAN_SUBJECTS = ['changes', 'undo', 'merge'] as const
/** `adopt`: a file became known as it was. `revert`: an effect was taken back. */
export const CHANGE_SUBJECTS = ['changes', 'undo', 'merge', 'adopt', 'revert'] as const

export type ArtifactChangeRow = {
  readonly seq: number
  readonly entry: string
  readonly at: string
  readonly dfid: string | null
  readonly name: string
  /** The address of its record; null: there is none. */
  readonly change: string | null
  /** Null: it was not there, or is not any more. */
  readonly before: string | null
  readonly after: string | null
  /** Null where its record cannot be read. */
  readonly agent_id: string | null
  readonly plan: string | null
  readonly undoes: string | null
  readonly what: (typeof CHANGE_SUBJECTS)[number] | null
  readonly symbols: readonly string[]
  readonly summary: string | null
}

export type ArtifactPlanRow = {
  readonly plan: string
  readonly by: string
  readonly until: string
  readonly expired: boolean
  readonly what: (typeof PLAN_SUBJECTS)[number]
  readonly symbols: readonly string[]
  readonly artifacts: readonly { readonly name: string; readonly base: string }[]
  readonly summary: string
  readonly entry: ArtifactEntry
}

const entry = buildWholeObject<ArtifactEntry>({
  seq: integer,
  id: string,
  at: string,
  dfid: allowNull(string),
})

const artifactRow = nameSchema(
  'ArtifactRow',
  buildWholeObject<ArtifactRow>({
    name: string,
    content_hash: string,
    bytes: count,
    media: string,
    change: allowNull(string),
    plans: buildArray(string),
    entry,
  }),
)

/** `texts`: whether this server holds what artifacts consist of. */
export const artifactPage: JsonObject = nameSchema(
  'ArtifactPage',
  buildWholeObject({
    trajectory: string,
    entries: integer,
    moment: entryMoment,
    unknown_from: allowNull(integer),
    texts: boolean,
    total: integer,
    artifacts: buildArray(artifactRow),
    next: allowNull(string),
  }),
)

const lines = { type: 'array', items: integer, minItems: 2, maxItems: 2 } as const

export const artifactSymbols: JsonObject = nameSchema(
  'ArtifactSymbols',
  buildWholeObject({
    name: string,
    at: integer,
    content_hash: string,
    total: integer,
    symbols: buildArray(
      nameSchema(
        'ArtifactSymbol',
        buildWholeObject<DeskSymbol>({
          path: string,
          kind: string,
          name: string,
          lines,
          definition_hash: string,
          order: buildEnum('free', 'fixed'),
          children: count,
        }),
      ),
    ),
    next: allowNull(string),
  }),
)

export const artifactText: JsonObject = nameSchema(
  'ArtifactText',
  buildWholeObject({
    name: string,
    at: integer,
    path: string,
    content_hash: string,
    definition_hash: allowNull(string),
    lines,
    text: string,
  }),
)

export const artifactChange: JsonObject = nameSchema(
  'ArtifactChange',
  buildWholeObject<ArtifactChangeRow>({
    seq: integer,
    entry: string,
    at: string,
    dfid: allowNull(string),
    name: string,
    change: allowNull(string),
    before: allowNull(string),
    after: allowNull(string),
    agent_id: allowNull(string),
    plan: allowNull(string),
    undoes: allowNull(string),
    what: allowNull(buildEnum(...CHANGE_SUBJECTS)),
    symbols: buildArray(string),
    summary: allowNull(string),
  }),
)

const side = buildWholeObject({ seq: integer, content_hash: allowNull(string) })

const differences = buildArray(
  nameSchema(
    'SymbolDifference',
    buildWholeObject<DifferentSymbol>({
      kind: string,
      path: string,
      was: allowNull(string),
      parts: buildArray(string),
      lines,
    }),
  ),
)

/** `by`: `lines` where one of the texts cannot be parsed. `cut`: there is more than is shown. */
export const artifactComparison: JsonObject = nameSchema(
  'ArtifactComparison',
  buildWholeObject({
    name: string,
    from: side,
    to: side,
    by: buildEnum('symbols', 'lines'),
    added: differences,
    removed: differences,
    changed: differences,
    renamed: differences,
    moved: differences,
    lines: buildArray(
      nameSchema(
        'LineDifference',
        buildWholeObject<DifferentLines>({
          from: integer,
          to: integer,
          removed: buildArray(string),
          added: buildArray(string),
        }),
      ),
    ),
    cut: boolean,
  }),
)

export const artifactPlan: JsonObject = nameSchema(
  'ArtifactPlan',
  buildWholeObject<ArtifactPlanRow>({
    plan: string,
    by: string,
    until: string,
    expired: boolean,
    what: buildEnum(...PLAN_SUBJECTS),
    symbols: buildArray(string),
    artifacts: buildArray(buildWholeObject({ name: string, base: string })),
    summary: string,
    entry,
  }),
)
