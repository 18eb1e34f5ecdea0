/** `quickstart`, `init`, `up`, `token`, `shell`, `demo`, `explain`, `doctor` and `schema`. */
import type { PolicyRecord, Reason, RecordedHash, RulesChange } from 'rubicon-kernel'
import type { RulesState } from 'rubicon-runtime/engine/authority'
import type { ReasonExample } from 'rubicon-runtime/reasons'
import { PERSON_ROLES, SOURCE_ROLE } from '../../people/principal.ts'
import type { DoneRepair, PrintedCheck } from '../doctor-check.ts'
import type { RecordedChange } from '../rules.ts'
import { decisions, failure, reasonCode } from './pieces.ts'
import {
  anything,
  buildAnyOfSchema,
  buildClosedSchema,
  buildEnumSchema,
  buildMapSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const quickstart: OutputSchema = buildClosedSchema({
  store: text,
  decisions,
  ledger: buildClosedSchema({ entries: count, head: buildNullableSchema(text), verified: flag }),
  tampered: buildClosedSchema({
    detected: flag,
    first_bad: buildNullableSchema(
      buildClosedSchema({
        trajectory: buildNullableSchema(text),
        seq: buildNullableSchema(count),
        code: reasonCode,
      }),
    ),
  }),
})

const recordedHash = {
  hash: text,
  former: buildNullableSchema(buildClosedSchema({ hash: text, until: instant })),
} satisfies Members<RecordedHash>

const rules: OutputSchema = buildClosedSchema({
  in_force: buildNullableSchema(
    buildClosedSchema({
      rules_hash: text,
      former: recordedHash.former,
      compiler_version: text,
      evaluators: buildMapSchema(text),
      policies: listOf(
        buildClosedSchema({
          name: text,
          version: text,
          source: text,
          applies_to: markOptional(listOf(text)),
        } satisfies Members<PolicyRecord>),
      ),
      capabilities: listOf(buildClosedSchema({ kind: text, ...recordedHash })),
    }),
  ),
  history: listOf(
    buildClosedSchema({
      seq: count,
      at: instant,
      rules_hash: buildNullableSchema(text),
      capabilities: listOf(text),
      previous_until: buildNullableSchema(instant),
    } satisfies Members<RecordedChange>),
  ),
  held: buildNullableSchema(
    buildClosedSchema({
      kind: buildEnumSchema(['in_force', 'not_in_force']),
      until: buildNullableSchema(instant),
      held: text,
      recorded: buildNullableSchema(text),
      changes: listOf(
        buildClosedSchema({
          what: buildEnumSchema(['policy', 'capability', 'version', 'topology']),
          name: text,
          change: buildEnumSchema(['added', 'changed', 'gone']),
          from: markOptional(text),
          to: markOptional(text),
        } satisfies Members<RulesChange>),
      ),
      acceptance: buildNullableSchema(text),
    } satisfies Members<RulesState>),
  ),
})

const played: OutputSchema = buildClosedSchema({
  name: text,
  decisions,
  expected: flag,
  checks: listOf(buildClosedSchema({ summary: text, expected: flag })),
  notes: listOf(text),
  store: text,
  ledger: buildClosedSchema({ file: text, entries: count, verified: flag }),
})

const reason = {
  producer: text,
  gate: buildNullableSchema({ type: 'integer', minimum: 1, maximum: 5 }),
  gate_code: buildNullableSchema(text),
  transient: flag,
  http: count,
  means: text,
  why: text,
  fix: text,
} satisfies Members<Reason>

const example: OutputSchema = buildClosedSchema({
  code: reasonCode,
  kind: text,
  title: text,
  input: anything,
  common_mistakes: markOptional(text),
  todo: markOptional(text),
} satisfies Members<ReasonExample>)

const check: OutputSchema = buildClosedSchema({
  name: text,
  status: buildUnionSchema<PrintedCheck['status']>({ ok: true, warning: true, failure: true }),
  detail: text,
  fix: markOptional(text),
  repair: markOptional(text),
} satisfies Members<PrintedCheck>)

const repaired: OutputSchema = buildClosedSchema({
  name: text,
  what: text,
  done: flag,
  problem: buildNullableSchema(text),
} satisfies Members<DoneRepair>)

export const START: Family = {
  quickstart: {
    prints: 'four decisions, the ledger, and where tampering was caught',
    shape: quickstart,
  },
  init: {
    prints: 'the folder, the files that were made in it, and the commands that come next',
    shape: buildClosedSchema({ folder: text, files: listOf(text), next: listOf(text) }),
  },
  up: {
    prints:
      'its address, and a new token or the file that has it; then it runs until it is stopped',
    shape: buildClosedSchema({
      url: text,
      store: text,
      state: text,
      artifacts: buildNullableSchema(text),
      token: buildNullableSchema(text),
      token_file: buildNullableSchema(text),
      demo: flag,
    }),
  },
  rules: {
    prints: 'the rules in force, when what was recorded, and with --rules what the module holds',
    shape: rules,
  },
  token: {
    prints: 'the person, their roles, and the token',
    shape: buildClosedSchema({
      name: text,
      roles: listOf(buildEnumSchema([...PERSON_ROLES, SOURCE_ROLE])),
      tenants: buildNullableSchema(listOf(text)),
      token: text,
    }),
  },
  shell: {
    prints: 'one value a line: the answer to a command, or its error',
    shape: buildAnyOfSchema(
      buildClosedSchema({ command: text, data: anything }),
      buildClosedSchema({ command: text, error: failure }),
    ),
  },
  demo: {
    prints: 'a scenario with its decisions and checks; without a name, the list',
    shape: buildAnyOfSchema(played, listOf(buildClosedSchema({ name: text, summary: text }))),
  },
  explain: {
    prints: 'a code, with its example where verdicts carry it; without a code, all of those',
    shape: buildAnyOfSchema(
      buildClosedSchema({ code: reasonCode, ...reason, example: buildNullableSchema(example) }),
      buildClosedSchema({
        code: text,
        means: text,
        why: text,
        fix: text,
        said: buildEnumSchema(['server', 'engine', 'command', 'agent']),
      }),
      listOf(buildClosedSchema({ code: reasonCode, ...reason })),
    ),
  },
  doctor: {
    prints: 'every check, with its fix where something is wrong, and what `--fix` has repaired',
    shape: buildClosedSchema({ ok: flag, checks: listOf(check), fixed: listOf(repaired) }),
  },
  schema: {
    prints: 'a JSON Schema; without a verb, the verbs that have one',
    shape: buildAnyOfSchema(
      open({ $schema: text, title: text, description: text }),
      buildClosedSchema({ verbs: listOf(buildClosedSchema({ verb: text, prints: text })) }),
    ),
  },
}
