import {
  type Address,
  canonicalText,
  type Entry,
  type Envelope,
  type ExportedEntry,
  envelopeText,
  isErasable,
  isObject,
  type JsonValue,
  parseExportedEntry,
  parseJson,
  parsePayload,
  type ReadPayload,
} from 'rubicon-kernel'
import { LINE_LIMITS } from './limits.ts'
import type { Line } from './read-ledger.ts'
import type { Place, Problem } from './report.ts'

/** An entry as the checks see it, wherever it came from. */
export type ReadEntry = {
  readonly leaf: number
  readonly id: Address
  readonly envelope: Envelope
  /** The canonical text that the payload hash covers; null once it was erased. */
  readonly payloadText: string | null
  /** Null when it was erased or cannot be read. */
  readonly payload: ReadPayload | null
}

export type Reading<E = ReadEntry> = {
  readonly entry: E
  readonly problems: readonly Problem[]
}

export function placeOf({ leaf, envelope }: ReadEntry): Place {
  return { leaf, trajectory: envelope.trajectory, seq: envelope.seq }
}

/** No entry: there is nothing that the other checks could look at. */
export function readLine(line: Line, leaf: number): Reading<ReadEntry | undefined> {
  if (line.text === undefined) return unreadable('the line is not UTF-8')
  const value = parseJson(line.text, LINE_LIMITS)
  if (!value.ok) return unreadable(value.error.detail)
  const exported = parseExportedEntry(value.value)
  if (!exported.ok) return unreadable(exported.error)

  const reading = readExported(exported.value, leaf)
  if (line.ended && lineText(exported.value, reading) === line.text) return reading
  const detail = 'the line is not its own canonical form'
  return { ...reading, problems: [...reading.problems, { code: 'ENTRY_NOT_CANONICAL', detail }] }
}

export function readExported(exported: ExportedEntry, leaf: number): Reading {
  const { envelope, id, payload } = exported
  const payloadText = payload === null ? null : canonicalText(payload)
  return reading({ leaf, id, envelope, payloadText, payload: null }, payload)
}

/** A stored entry has no line around it; its payload must be canonical by itself. */
export function readStored({ envelope, id, payload }: Entry, leaf: number): Reading {
  const entry = { leaf, id, envelope, payloadText: payload, payload: null }
  if (payload === null) return reading(entry, null)
  const value = parseJson(payload, LINE_LIMITS)
  if (!value.ok) return { entry, problems: [fault('ENTRY_UNREADABLE', value.error.detail)] }
  const read = reading(entry, value.value)
  if (canonicalText(value.value) === payload) return read
  const late = fault('ENTRY_NOT_CANONICAL', 'the payload is not its own canonical form')
  return { ...read, problems: [...read.problems, late] }
}

function reading(entry: ReadEntry, payload: JsonValue): Reading {
  const { kind } = entry.envelope
  if (payload === null) {
    const problems = isErasable(kind)
      ? []
      : [fault('ENTRY_UNREADABLE', `the payload of a \`${kind}\` cannot be erased`)]
    return { entry, problems }
  }
  if (!isObject(payload)) {
    return { entry, problems: [fault('ENTRY_UNREADABLE', 'the payload is not an object')] }
  }
  const read = parsePayload(kind, payload)
  if (!read.ok) return { entry, problems: [fault('ENTRY_UNREADABLE', read.error)] }
  return { entry: { ...entry, payload: read.value }, problems: [] }
}

/** What the line should have been; the texts inside were made canonical while reading. */
function lineText({ envelope, id }: ExportedEntry, { entry }: Reading): string {
  const payload = entry.payloadText ?? 'null'
  return `{"envelope":${envelopeText(envelope)},"id":"${id}","payload":${payload}}`
}

function unreadable(detail: string): Reading<undefined> {
  return { entry: undefined, problems: [fault('ENTRY_UNREADABLE', detail)] }
}

function fault(code: Problem['code'], detail: string): Problem {
  return { code, detail }
}
