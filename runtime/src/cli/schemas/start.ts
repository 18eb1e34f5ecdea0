/** `quickstart`, `up`, `token`, `shell`, `demo`, `explain`, `doctor` and `schema`. */
import type { PolicyRecord, Reason, RecordedHash, RulesChange } from 'rubicon-kernel'
import type { RulesState } from '../../engine/registry/record-rules.ts'
import type { ReasonExample } from '../../reasons/explain.ts'
import { PERSON_ROLES, SOURCE_ROLE } from '../../server/principal.ts'
import type { Check } from '../doctor-check.ts'
import type { RecordedChange } from '../rules.ts'
import { decisions, failure, reasonCode } from './pieces.ts'
import {
  anyOf,
  anything,
  closed,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  mapOf,
  oneOf,
  open,
  optional,
  orNull,
  type Schema,
  text,
  wordsOf,
} from './shape.ts'

const quickstart: Schema = closed({
  store: text,
  decisions,
  ledger: closed({ entries: count, head: orNull(text), verified: flag }),
  tampered: closed({
    detected: flag,
    first_bad: orNull(closed({ trajectory: orNull(text), seq: orNull(count), code: reasonCode })),
  }),
})

const recordedHash = {
  hash: text,
  former: orNull(closed({ hash: text, until: instant })),
} satisfies Members<RecordedHash>

const rules: Schema = closed({
  in_force: orNull(
    closed({
      rules_hash: text,
      former: recordedHash.former,
      compiler_version: text,
      evaluators: mapOf(text),
      policies: listOf(
        closed({
          name: text,
          version: text,
          source: text,
          applies_to: optional(listOf(text)),
        } satisfies Members<PolicyRecord>),
      ),
      capabilities: listOf(closed({ kind: text, ...recordedHash })),
    }),
  ),
  history: listOf(
    closed({
      seq: count,
      at: instant,
      rules_hash: orNull(text),
      capabilities: listOf(text),
      previous_until: orNull(instant),
    } satisfies Members<RecordedChange>),
  ),
  held: orNull(
    closed({
      kind: oneOf(['in_force', 'not_in_force']),
      until: orNull(instant),
      held: text,
      recorded: orNull(text),
      changes: listOf(
        closed({
          what: oneOf(['policy', 'capability', 'version']),
          name: text,
          change: oneOf(['added', 'changed', 'gone']),
          from: optional(text),
          to: optional(text),
        } satisfies Members<RulesChange>),
      ),
      acceptance: orNull(text),
    } satisfies Members<RulesState>),
  ),
})

const played: Schema = closed({
  name: text,
  decisions,
  expected: flag,
  checks: listOf(closed({ summary: text, expected: flag })),
  notes: listOf(text),
  store: text,
  ledger: closed({ file: text, entries: count, verified: flag }),
})

const reason = {
  producer: text,
  gate: orNull({ type: 'integer', minimum: 1, maximum: 5 }),
  gate_code: orNull(text),
  transient: flag,
  http: count,
  means: text,
  why: text,
  fix: text,
} satisfies Members<Reason>

const example: Schema = closed({
  code: reasonCode,
  kind: text,
  title: text,
  input: anything,
  common_mistakes: optional(text),
  todo: optional(text),
} satisfies Members<ReasonExample>)

const check: Schema = closed({
  name: text,
  status: wordsOf<Check['status']>({ ok: true, warning: true, failure: true }),
  detail: text,
  fix: optional(text),
} satisfies Members<Check>)

export const START: Family = {
  quickstart: {
    prints: 'four decisions, the ledger, and where tampering was caught',
    shape: quickstart,
  },
  up: {
    prints:
      'where it is, and a token if one was made, or the file that has it; then it goes on until it is told to stop',
    shape: closed({
      url: text,
      store: text,
      state: text,
      token: orNull(text),
      token_file: orNull(text),
      demo: flag,
    }),
  },
  rules: {
    prints: 'the rules in force, when what was recorded, and with --rules what the module holds',
    shape: rules,
  },
  token: {
    prints: 'whose token it is, what they may do, and the token',
    shape: closed({
      name: text,
      roles: listOf(oneOf([...PERSON_ROLES, SOURCE_ROLE])),
      tenants: orNull(listOf(text)),
      token: text,
    }),
  },
  shell: {
    prints: 'one value a line: what a command was answered, or what was wrong with it',
    shape: anyOf(
      closed({ command: text, data: anything }),
      closed({ command: text, error: failure }),
    ),
  },
  demo: {
    prints: 'a scenario with its decisions and checks; without a name, the list',
    shape: anyOf(played, listOf(closed({ name: text, summary: text }))),
  },
  explain: {
    prints: 'a code, with its example where verdicts carry it; without a code, all of those',
    shape: anyOf(
      closed({ code: reasonCode, ...reason, example: orNull(example) }),
      closed({
        code: text,
        means: text,
        why: text,
        fix: text,
        said: oneOf(['server', 'engine', 'command']),
      }),
      listOf(closed({ code: reasonCode, ...reason })),
    ),
  },
  doctor: {
    prints: 'every check, with its fix where something is wrong',
    shape: closed({ ok: flag, checks: listOf(check) }),
  },
  schema: {
    prints: 'a JSON Schema; without a verb, the verbs that have one',
    shape: anyOf(
      open({ $schema: text, title: text, description: text }),
      closed({ verbs: listOf(closed({ verb: text, prints: text })) }),
    ),
  },
}
