/** `verify`, `replay`, `recompile`, `policy check`, `policy test`, `export` and `branch`. */
import type { Bundle, DsseEnvelope } from 'rubicon-kernel'
import { BUNDLE_FORMAT, KEY_PURPOSES, STATEMENT_PAYLOAD } from 'rubicon-kernel'
import type {
  CaseOutcome,
  CaseResult,
  RecompileReport,
  ReplayFinding,
} from 'rubicon-runtime/evidence'
import type { LawFinding, LawReport } from 'rubicon-runtime/evidence/law'
import type { UnknownName } from 'rubicon-runtime/policies'
import type { CheckpointSummary, Fingerprint, Report, TreeSummary } from 'rubicon-verifier'
import type { ShownReplay } from '../replay.ts'
import { failure, finding, key, position, reasonCode } from './pieces.ts'
import {
  buildAnyOfSchema,
  buildClosedSchema,
  buildConstSchema,
  buildEnumSchema,
  buildMapSchema,
  buildNullableSchema,
  buildUnionSchema,
  count,
  type Family,
  flag,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  open,
  text,
} from './shape.ts'

const tree = { size: count, root: text } satisfies Members<TreeSummary>

const fingerprint = {
  key_id: text,
  purpose: buildEnumSchema(KEY_PURPOSES),
  subject: text,
} satisfies Members<Fingerprint>

const envelope = buildClosedSchema({
  payload: text,
  payloadType: buildConstSchema(STATEMENT_PAYLOAD),
  signatures: listOf(buildClosedSchema({ keyid: text, sig: text })),
} satisfies Members<DsseEnvelope>)

const law = {
  ok: flag,
  decisions: count,
  sends: count,
  findings: listOf(
    buildClosedSchema({
      leaf: count,
      trajectory: text,
      seq: count,
      code: buildConstSchema('LAW_MISMATCH'),
      detail: text,
    } satisfies Members<LawFinding>),
  ),
  left_off: count,
  erased: count,
  unjudged: buildMapSchema(count),
  on_the_word_of: buildMapSchema(count),
  by_manifest: buildMapSchema(count),
} satisfies Members<LawReport>

const report: OutputSchema = buildClosedSchema({
  ok: flag,
  strength: buildNullableSchema(
    buildUnionSchema<NonNullable<Report['strength']>>({ 'self-consistent': true, trusted: true }),
  ),
  depth: buildUnionSchema<Report['depth']>({ structure: true, signatures: true, fold: true }),
  entries: count,
  erased: count,
  archived: count,
  unsettled: buildNullableSchema(count),
  checkpoint: buildNullableSchema(
    buildClosedSchema({ ...tree, origin: text } satisfies Members<CheckpointSummary>),
  ),
  tree: buildNullableSchema(buildClosedSchema(tree)),
  fingerprints: listOf(buildClosedSchema(fingerprint)),
  findings: listOf(finding),
  left_off: count,
  compiler_versions: listOf(text),
  rules_seen: listOf(text),
  signatures: buildClosedSchema({ checked: count }),
  law: markOptional(buildClosedSchema(law)),
} satisfies Members<Report & { readonly law?: LawReport }>)

const replayed: OutputSchema = buildClosedSchema({
  ok: flag,
  trajectory: text,
  entries: count,
  world_hash: text,
  /** With `--full`: how many rows and signatures were looked at. */
  resources: buildNullableSchema(count),
  signatures: buildNullableSchema(count),
  compiler_versions: listOf(text),
  rules_seen: listOf(text),
  findings: listOf(
    buildClosedSchema({
      trajectory: text,
      seq: count,
      code: reasonCode,
      detail: text,
    } satisfies Members<ReplayFinding>),
  ),
} satisfies Members<ShownReplay>)

const outcome: OutputSchema = buildClosedSchema({
  outcome: buildUnionSchema<CaseOutcome['outcome']>({
    ACCEPTED: true,
    REJECTED: true,
    ESCALATED: true,
  }),
  code: buildNullableSchema(text),
} satisfies Members<CaseOutcome>)

const tested = {
  file: text,
  name: text,
  ok: flag,
  expect: outcome,
  found: buildNullableSchema(outcome),
} satisfies Members<CaseResult & { readonly file: string }>

const checkedPolicy: OutputSchema = buildClosedSchema({
  file: text,
  ok: flag,
  name: text,
  version: text,
  rules: listOf(buildClosedSchema({ id: text, line: count })),
  /** Names that no capability has; null: nobody said what capabilities there are. */
  unknown: buildNullableSchema(
    listOf(
      buildClosedSchema({
        rule: buildNullableSchema(text),
        line: buildNullableSchema(count),
        name: text,
        why: text,
      } satisfies Members<UnknownName>),
    ),
  ),
})

const unreadPolicy: OutputSchema = buildClosedSchema({
  file: text,
  ok: buildConstSchema(false),
  error: failure,
})

export const recompiled: OutputSchema = buildClosedSchema({
  ok: flag,
  trajectory: text,
  decisions: count,
  differing: listOf(
    buildClosedSchema({
      trajectory: text,
      seq: count,
      dfid: text,
      recorded: outcome,
      now: outcome,
    } satisfies Members<RecompileReport['differing'][number]>),
  ),
  skipped: listOf(buildClosedSchema({ seq: count, why: text })),
} satisfies Members<RecompileReport>)

/** The bytes are those of docs/spec/ledger.md; entries are described there. */
const bundle: OutputSchema = buildClosedSchema({
  checkpoint: text,
  dfid: text,
  entries: listOf(open({ id: text, leaf: count, proof: listOf(text) })),
  epoch: count,
  evidence: markOptional(open({ evidence_hash: text })),
  format: buildConstSchema(BUNDLE_FORMAT),
  keys: listOf(key),
  tenant: text,
} satisfies Members<Bundle>)

export const EVIDENCE: Family = {
  verify: {
    prints: 'the report: what was checked, and every finding with its place',
    shape: report,
  },
  replay: { prints: 'the World computed from the entries, and findings', shape: replayed },
  recompile: { prints: 'decisions that other rules would change', shape: recompiled },
  'policy check': {
    prints: 'each file with its rules and with names that no capability has, or why it is invalid',
    shape: buildClosedSchema({
      ok: flag,
      files: listOf(buildAnyOfSchema(checkedPolicy, unreadPolicy)),
    }),
  },
  'policy save': {
    prints:
      'the files that were written, those that were there, and how many decisions make no case',
    shape: buildClosedSchema({
      folder: text,
      saved: listOf(text),
      kept: listOf(text),
      skipped: count,
    }),
  },
  'policy test': {
    prints:
      'each case with what was expected and what the rules say; with `--update`, the files that were changed',
    shape: buildClosedSchema({
      ok: flag,
      cases: listOf(buildClosedSchema(tested)),
      updated: listOf(text),
    }),
  },
  export: {
    prints:
      'the file with the bundle, the statement or the dataset; without a file, the bundle or the statement itself',
    shape: buildAnyOfSchema(
      buildClosedSchema({ file: text, episodes: count }),
      buildClosedSchema({ dfid: text, file: text, entries: count, verified: flag }),
      buildClosedSchema({ dfid: text, file: text }),
      envelope,
      bundle,
    ),
  },
  branch: {
    prints: 'the new trajectory and where it starts',
    shape: buildClosedSchema({ trajectory: text, id: text, source: position }),
  },
}
