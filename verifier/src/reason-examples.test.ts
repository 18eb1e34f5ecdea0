/** Each example of a reason code that the verifier produces: a sample ledger, spoilt as it says. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  computeEntryId,
  type Entry,
  type EntryKind,
  type Envelope,
  type JsonObject,
  type JsonValue,
  REASON_CODES,
  toCanonicalText,
} from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { parseTrust } from './ledger/trust.ts'
import type { Report } from './report/report.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { sampleKey } from './samples/sample-keys.test-support.ts'
import {
  bootstrap,
  commit,
  DFID,
  dispatch,
  grant,
  sampleDelta,
  sampleEvidence,
  sampleLedger,
  writBody,
} from './samples/sample-ledger.test-support.ts'
import { verifyBundle } from './verify-bundle.ts'
import { verifyLedgerText } from './verify-ledger.ts'
import { verifyStored } from './verify-stored.ts'

/** The kinds of examples that this file runs. */
const KINDS: readonly string[] = ['ledger']

type Example = {
  readonly code: string
  readonly kind: string
  readonly title: string
  readonly input: Tampering
}

type Rewritten = { readonly kind: EntryKind; readonly payload: JsonObject }
type Changed = {
  readonly kind: EntryKind
  readonly envelope?: Partial<Envelope>
  readonly payload?: JsonObject
  readonly new_id?: boolean
}

type Tampering =
  | { readonly insert_line: string }
  | { readonly respace: EntryKind }
  | { readonly remove: EntryKind }
  | { readonly take_out: EntryKind }
  | { readonly archive: EntryKind }
  | { readonly change: Changed }
  | { readonly rewrite: Rewritten }
  | { readonly header: JsonObject }
  | { readonly sign_checkpoint_with: 'issuer' }
  | { readonly cut_tail: number }
  | { readonly trust_key_of: 'another ledger' }
  | { readonly bundle_with_proof_of_another: EntryKind }
  | { readonly dispatch_after: 'revocation' }
  | { readonly commit_with: JsonObject }

const FOLDER = new URL('../../testdata/reasons/', import.meta.url)
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
const examples = names.map((name) => parseExample(readFileSync(new URL(name, FOLDER), 'utf8')))

test('the sample that the examples spoil is sound', () => {
  const { builder } = sampleLedger()
  assert.deepEqual(verifyLedgerText(builder.text(), nodeCrypto).findings, [])
  const bundle = toCanonicalText(builder.bundle(DFID, sampleEvidence()) as unknown as JsonValue)
  assert.deepEqual(verifyBundle(bundle, nodeCrypto).findings, [])
})

for (const code of REASON_CODES) {
  const example = examples.find((one) => one.code === code)
  if (example === undefined || !KINDS.includes(example.kind)) continue
  test(`${code}: ${example.title}`, () => {
    const { findings, ok } = tampered(example.input)
    assert.equal(ok, false)
    assert.equal(findings[0]?.code, code, JSON.stringify(findings))
  })
}

function parseExample(text: string): Example {
  return JSON.parse(text) as Example
}

function tampered(input: Tampering): Report {
  const { builder, writId } = sampleLedger()
  const header = builder.header()
  if ('insert_line' in input) {
    const [first = '', ...rest] = builder.text().split('\n')
    return verify([first, input.insert_line, ...rest].join('\n'))
  }
  if ('respace' in input) {
    const at = leafOf(builder, input.respace)
    const lines = builder.lines().map((line, i) => (i === at ? line.replaceAll('":', '": ') : line))
    return verify([header, ...lines, ''].join('\n'))
  }
  if ('remove' in input) builder.entries.splice(leafOf(builder, input.remove), 1)
  if ('take_out' in input) {
    const at = leafOf(builder, input.take_out)
    builder.entries = builder.entries.map((one, i) => (i === at ? { ...one, payload: null } : one))
  }
  if ('archive' in input) {
    const at = leafOf(builder, input.archive)
    const moved = builder.entries.map((one, i) => (i === at ? { ...one, payload: null } : one))
    return verifyStored(moved, nodeCrypto, { depth: 'fold', isArchived: ({ leaf }) => leaf === at })
  }
  if ('change' in input) change(builder, input.change)
  if ('rewrite' in input) {
    change(builder, input.rewrite)
    builder.rehash(leafOf(builder, input.rewrite.kind))
  }
  if ('header' in input) {
    const stated = JSON.parse(header) as JsonObject
    return verify(builder.text(toCanonicalText({ ...stated, ...input.header })))
  }
  if ('sign_checkpoint_with' in input) {
    const note = builder.note(builder.entries.length, builder[input.sign_checkpoint_with])
    return verify(builder.text(builder.header(note)))
  }
  if ('cut_tail' in input) builder.entries.splice(-input.cut_tail)
  if ('trust_key_of' in input) {
    const trust = parseTrust(sampleKey('operator', input.trust_key_of).text, nodeCrypto.sha256)
    assert.ok(trust.ok)
    return verifyLedgerText(builder.text(), nodeCrypto, { trust: trust.value })
  }
  if ('bundle_with_proof_of_another' in input)
    return swappedProof(builder, input.bundle_with_proof_of_another)
  if ('dispatch_after' in input) {
    dispatch(builder, writId, { step_id: 'step-2' })
    return verify(builder.text())
  }
  if ('commit_with' in input) return verify(committed(input.commit_with).text())
  return verify(builder.text(header))
}

function verify(text: string): Report {
  return verifyLedgerText(text, nodeCrypto)
}

function leafOf({ entries }: LedgerBuilder, kind: EntryKind): number {
  return entries.findIndex(({ envelope }) => envelope.kind === kind)
}

function change(builder: LedgerBuilder, { kind, envelope, payload, new_id }: Changed): void {
  const leaf = leafOf(builder, kind)
  builder.entries = builder.entries.map((entry, i) => {
    if (i !== leaf) return entry
    const changed: Entry = {
      ...entry,
      envelope: { ...entry.envelope, ...envelope },
      payload: merged(entry.payload, payload),
    }
    return new_id
      ? { ...changed, id: computeEntryId(changed.envelope, nodeCrypto.sha256) }
      : changed
  })
}

function merged(text: string | null, patch: JsonObject | undefined): string | null {
  if (text === null || patch === undefined) return text
  const deep = (value: JsonValue | undefined, by: JsonValue): JsonValue => {
    if (!isPlain(value) || !isPlain(by)) return by
    const members = Object.entries(by).map(
      ([key, inner]) => [key, deep(value[key], inner)] as const,
    )
    return { ...value, ...Object.fromEntries(members) }
  }
  return toCanonicalText(deep(JSON.parse(text) as JsonValue, patch))
}

function isPlain(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function swappedProof(builder: LedgerBuilder, kind: EntryKind): Report {
  const bundle = builder.bundle(DFID, sampleEvidence())
  const entries = bundle.entries.map((entry, i) => {
    const other = bundle.entries[i - 1]
    return entry.envelope.kind === kind && other !== undefined
      ? { ...entry, proof: other.proof }
      : entry
  })
  const text = toCanonicalText({ ...bundle, entries } as unknown as JsonValue)
  return verifyBundle(text, nodeCrypto)
}

/** A ledger that ends with a commit which says something else than it should. */
function committed(said: JsonObject): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const { intent } = dispatch(builder, grant(builder, writBody(builder)))
  commit(builder, intent, sampleDelta, said)
  return builder
}
