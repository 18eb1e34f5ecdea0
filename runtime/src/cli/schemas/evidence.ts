/** `verify`, `replay`, `recompile`, `policy check`, `policy test`, `export` and `branch`. */
import type { Bundle } from 'rubicon-kernel'
import { BUNDLE_FORMAT, KEY_PURPOSES } from 'rubicon-kernel'
import type { CheckpointSummary, Fingerprint, Report, TreeSummary } from 'rubicon-verifier'
import type { Outcome } from '../../evidence/decision-case.ts'
import type { LawFinding, LawReport } from '../../evidence/law/judge-law.ts'
import type { CaseResult } from '../../evidence/policy-case.ts'
import type { RecompileReport } from '../../evidence/recompile.ts'
import type { ReplayFinding } from '../../evidence/replay.ts'
import type { UnknownName } from '../../policies/unknown-names.ts'
import type { ShownReplay } from '../replay.ts'
import { failure, finding, key, position, reasonCode } from './pieces.ts'
import {
  always,
  anyOf,
  closed,
  count,
  type Family,
  flag,
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

const tree = { size: count, root: text } satisfies Members<TreeSummary>

const fingerprint = {
  key_id: text,
  purpose: oneOf(KEY_PURPOSES),
  subject: text,
} satisfies Members<Fingerprint>

const law = {
  ok: flag,
  decisions: count,
  sends: count,
  findings: listOf(
    closed({
      leaf: count,
      trajectory: text,
      seq: count,
      code: always('LAW_MISMATCH'),
      detail: text,
    } satisfies Members<LawFinding>),
  ),
  left_off: count,
  erased: count,
  unjudged: mapOf(count),
  on_the_word_of: mapOf(count),
} satisfies Members<LawReport>

const report: Schema = closed({
  ok: flag,
  strength: orNull(
    wordsOf<NonNullable<Report['strength']>>({ 'self-consistent': true, trusted: true }),
  ),
  depth: wordsOf<Report['depth']>({ structure: true, signatures: true, fold: true }),
  entries: count,
  erased: count,
  unsettled: orNull(count),
  checkpoint: orNull(closed({ ...tree, origin: text } satisfies Members<CheckpointSummary>)),
  tree: orNull(closed(tree)),
  fingerprints: listOf(closed(fingerprint)),
  findings: listOf(finding),
  left_off: count,
  compiler_versions: listOf(text),
  rules_seen: listOf(text),
  signatures: closed({ checked: count }),
  law: optional(closed(law)),
} satisfies Members<Report & { readonly law?: LawReport }>)

const replayed: Schema = closed({
  ok: flag,
  trajectory: text,
  entries: count,
  world_hash: text,
  /** With `--full`: how many rows and signatures were looked at. */
  resources: orNull(count),
  signatures: orNull(count),
  compiler_versions: listOf(text),
  rules_seen: listOf(text),
  findings: listOf(
    closed({
      trajectory: text,
      seq: count,
      code: reasonCode,
      detail: text,
    } satisfies Members<ReplayFinding>),
  ),
} satisfies Members<ShownReplay>)

const outcome: Schema = closed({
  outcome: wordsOf<Outcome['outcome']>({ ACCEPTED: true, REJECTED: true, ESCALATED: true }),
  code: orNull(text),
} satisfies Members<Outcome>)

const tested = {
  file: text,
  name: text,
  ok: flag,
  expect: outcome,
  found: orNull(outcome),
} satisfies Members<CaseResult & { readonly file: string }>

const checkedPolicy: Schema = closed({
  file: text,
  ok: flag,
  name: text,
  version: text,
  rules: listOf(closed({ id: text, line: count })),
  /** Names that no capability has; null: nobody said what capabilities there are. */
  unknown: orNull(
    listOf(
      closed({
        rule: orNull(text),
        line: orNull(count),
        name: text,
        why: text,
      } satisfies Members<UnknownName>),
    ),
  ),
})

const unreadPolicy: Schema = closed({ file: text, ok: always(false), error: failure })

export const recompiled: Schema = closed({
  ok: flag,
  trajectory: text,
  decisions: count,
  differing: listOf(
    closed({
      trajectory: text,
      seq: count,
      dfid: text,
      recorded: outcome,
      now: outcome,
    } satisfies Members<RecompileReport['differing'][number]>),
  ),
  skipped: listOf(closed({ seq: count, why: text })),
} satisfies Members<RecompileReport>)

/** The bytes are those of docs/spec/ledger.md; entries are described there. */
const bundle: Schema = closed({
  checkpoint: text,
  dfid: text,
  entries: listOf(open({ id: text, leaf: count, proof: listOf(text) })),
  epoch: count,
  evidence: optional(open({ evidence_hash: text })),
  format: always(BUNDLE_FORMAT),
  keys: listOf(key),
  tenant: text,
} satisfies Members<Bundle>)

export const EVIDENCE: Family = {
  verify: {
    prints: 'the report: what was checked, and every finding with its place',
    shape: report,
  },
  replay: { prints: 'the World that the record adds up to, and findings', shape: replayed },
  recompile: { prints: 'decisions that other rules would change', shape: recompiled },
  'policy check': {
    prints: 'each file with its rules and with names that no capability has, or why it is none',
    shape: closed({ ok: flag, files: listOf(anyOf(checkedPolicy, unreadPolicy)) }),
  },
  'policy test': {
    prints: 'each case with what was expected and what the rules say',
    shape: closed({ ok: flag, cases: listOf(closed(tested)) }),
  },
  export: {
    prints: 'where the bundle is; without a file, the bundle itself',
    shape: anyOf(closed({ dfid: text, file: text, entries: count, verified: flag }), bundle),
  },
  branch: {
    prints: 'the new trajectory and where it starts',
    shape: closed({ trajectory: text, id: text, source: position }),
  },
}
