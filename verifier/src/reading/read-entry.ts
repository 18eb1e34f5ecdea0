import {
  type Address,
  assert,
  type Entry,
  type Envelope,
  type ExportedEntry,
  formatEnvelope,
  isErasable,
  isObject,
  type JsonValue,
  parseExportedEntry,
  parseJson,
  parsePayload,
  type ReadPayload,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Place, Problem } from '../report/report.ts'
import { CanonicalScan } from './canonical-scan.ts'
import { createKnownForms } from './known-forms.ts'
import { LINE_LIMITS } from './limits.ts'
import { parseLineHead } from './line-head.ts'
import { cutTexts, type MemberTexts, writeMemberTexts } from './member-texts.ts'
import type { Line } from './read-ledger.ts'

/** An entry as the checks see it, wherever it came from. */
export type ReadEntry = {
  readonly leaf: number
  readonly id: Address
  readonly envelope: Envelope
  /** The canonical text of the envelope, where it is at hand. */
  readonly envelopeText?: string | undefined
  /** The canonical text that the payload hash covers; null once it was erased. */
  readonly payloadText: string | null
  /** The bytes of that text, where they are at hand. */
  readonly payloadBytes?: Uint8Array | undefined
  /** Null when it was erased or cannot be read. */
  readonly payload: ReadPayload | null
  /** Of the members of the payload; undefined where there is none to read. */
  readonly texts?: MemberTexts
}

export type Reading<E = ReadEntry> = {
  readonly entry: E
  readonly problems: readonly Problem[]
}

export function toPlace({ leaf, envelope }: ReadEntry): Place {
  return { leaf, trajectory: envelope.trajectory, seq: envelope.seq }
}

/** The head of a line and the line around the payload are within the limits, too. */
const PAYLOAD_LIMITS = {
  depth: LINE_LIMITS.depth - 1,
  bytes: LINE_LIMITS.bytes - 4_096,
  keys: LINE_LIMITS.keys - 16,
}
const scan = new CanonicalScan(PAYLOAD_LIMITS)
const forms = createKnownForms()

/** No entry: there is nothing that the other checks could look at. */
export function readLine(line: Line, leaf: number): Reading<ReadEntry | undefined> {
  const cut = cutLine(line, leaf)
  const read = cut === undefined ? undefined : readCut(cut.entry, line.text ?? '', cut.payloadAt)
  return read ?? readSlowly(line, leaf)
}

/**
 * An entry by the form that exports write, its payload taken as it stands and not read. Undefined: it has
 * another form, and must be read to say what is wrong.
 */
export function cutLine(
  { text, ended, bytes }: Line,
  leaf: number,
): { readonly entry: ReadEntry; readonly payloadAt: number } | undefined {
  if (text === undefined || !ended || !text.endsWith('}') || !text.isWellFormed()) return undefined
  // In UTF-8 it has at most three times as many bytes.
  if (text.length * 3 > LINE_LIMITS.bytes) return undefined
  const head = parseLineHead(text)
  if (head === undefined) return undefined
  const { envelope, envelopeText: written, id, payloadAt } = head
  const payload = text.slice(payloadAt, -1)
  const payloadText = payload === 'null' ? null : payload
  if (payloadText !== null && !payloadText.startsWith('{')) return undefined
  // As many bytes as characters: each is one, and both are cut at the same places.
  const payloadBytes = bytes?.length === text.length ? bytes.subarray(payloadAt, -1) : undefined
  const entry = {
    leaf,
    id,
    envelope,
    envelopeText: written,
    payloadText,
    payloadBytes,
    payload: null,
  }
  return { entry, payloadAt }
}

/** The payload, which stands in a well-formed text from there on, if it is certain that it is canonical. */
function readCut(entry: ReadEntry, text: string, from: number): Reading | undefined {
  const { payloadText } = entry
  if (payloadText === null) return readPayload(entry, null)
  const { kind } = entry.envelope
  const form = forms.find(kind, payloadText)
  if (form !== undefined) {
    const known = form.buildValue()
    if (known !== undefined)
      return readPayload(entry, known, cutTexts(form.computeMemberPlaces(text, from)))
  }
  if (!scan.isCanonical(text, from, from + payloadText.length)) return undefined
  const members = scan.getMemberPlaces()
  const payload = tryParseJson(payloadText)
  if (payload === undefined) return undefined
  forms.learn(kind, payloadText, payload, members, from)
  return readPayload(entry, payload, cutTexts(members))
}

/** Undefined: there is a control character in it. */
function tryParseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/** By parsing all of it: says what is wrong with any line. */
export function readSlowly(line: Line, leaf: number): Reading<ReadEntry | undefined> {
  if (line.text === undefined) return toUnreadableEntry('the line is not UTF-8')
  const value = parseJson(line.text, LINE_LIMITS)
  if (!value.ok) return toUnreadableEntry(value.error.detail)
  const exported = parseExportedEntry(value.value)
  if (!exported.ok) return toUnreadableEntry(exported.error)

  const reading = readExported(exported.value, leaf)
  if (line.ended && formatEntryLine(exported.value, reading) === line.text) return reading
  const detail = 'the line is not its own canonical form'
  return { ...reading, problems: [...reading.problems, { code: 'ENTRY_NOT_CANONICAL', detail }] }
}

export function readExported(exported: ExportedEntry, leaf: number): Reading {
  const { envelope, id, payload } = exported
  const payloadText = payload === null ? null : toCanonicalText(payload)
  return readPayload({ leaf, id, envelope, payloadText, payload: null }, payload)
}

/** A stored entry has no line around it; its payload must be canonical by itself. */
export function readStored({ envelope, id, payload }: Entry, leaf: number): Reading {
  const entry = { leaf, id, envelope, payloadText: payload, payload: null }
  if (payload === null) return readPayload(entry, null)
  const cut = payload.isWellFormed() ? readCut(entry, payload, 0) : undefined
  if (cut !== undefined) return cut
  const value = parseJson(payload, LINE_LIMITS)
  if (!value.ok) return { entry, problems: [toProblem('ENTRY_UNREADABLE', value.error.detail)] }
  const read = readPayload(entry, value.value)
  if (toCanonicalText(value.value) === payload) return read
  const late = toProblem('ENTRY_NOT_CANONICAL', 'the payload is not its own canonical form')
  return { ...read, problems: [...read.problems, late] }
}

function readPayload(entry: ReadEntry, payload: JsonValue, cut?: MemberTexts): Reading {
  const { kind } = entry.envelope
  if (payload === null) {
    const problems = isErasable(kind)
      ? []
      : [toProblem('ENTRY_UNREADABLE', `the payload of a \`${kind}\` cannot be erased`)]
    return { entry, problems }
  }
  if (!isObject(payload)) {
    return { entry, problems: [toProblem('ENTRY_UNREADABLE', 'the payload is not an object')] }
  }
  const read = parsePayload(kind, payload)
  if (!read.ok) return { entry, problems: [toProblem('ENTRY_UNREADABLE', read.error)] }
  const texts = cut ?? writeMemberTexts(payload)
  return { entry: { ...entry, payload: read.value, texts }, problems: [] }
}

export function getMemberTexts({ texts }: ReadEntry): MemberTexts {
  assert(texts !== undefined, 'a payload that was read has its texts')
  return texts
}

/** What the line should have been; the texts inside were made canonical while reading. */
function formatEntryLine({ envelope, id }: ExportedEntry, { entry }: Reading): string {
  const payload = entry.payloadText ?? 'null'
  return `{"envelope":${formatEnvelope(envelope)},"id":"${id}","payload":${payload}}`
}

function toUnreadableEntry(detail: string): Reading<undefined> {
  return { entry: undefined, problems: [toProblem('ENTRY_UNREADABLE', detail)] }
}

function toProblem(code: Problem['code'], detail: string): Problem {
  return { code, detail }
}
