/**
 * The lines of an archive: a header, then the payloads, those of a flow one after the other and in the order of the
 * tree. Every line is canonical JSON, so that a payload in it is the text that its hash covers.
 */
import {
  ARCHIVE_FORMAT,
  err,
  isObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  ok,
  parseJson,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { ArchivableFlow } from '../../engine/archive/archivable.ts'
import type { GenerationText } from '../../ports/generation-record.ts'

export type ArchiveHeader = { readonly format: typeof ARCHIVE_FORMAT; readonly tenant: string }

export type ArchiveLine = {
  readonly dfid: string
  readonly leaf: number
  readonly payload: string
  readonly text: GenerationText | null
}

export function formatArchiveHeader(tenant: string): string {
  return `${toCanonicalText({ format: ARCHIVE_FORMAT, tenant })}\n`
}

/** Members in the order of their names; the payload is canonical text already. */
export function formatArchiveLines({ flow, entries }: ArchivableFlow): string {
  const lines = entries.map(({ leaf, payload, text }) => {
    const said = text === null ? '' : `,"text":${toCanonicalText(text)}`
    return `{"dfid":${toCanonicalText(flow.dfid)},"leaf":${leaf},"payload":${payload}${said}}\n`
  })
  return lines.join('')
}

/** In words, what is wrong. `line`: without its end. */
export function parseArchiveHeader(line: string): Result<ArchiveHeader, string> {
  const read = readMembers(line, ['format', 'tenant'])
  if (!read.ok) return read
  const { format, tenant } = read.value
  if (format !== ARCHIVE_FORMAT) return err(`its format is not \`${ARCHIVE_FORMAT}\``)
  return typeof tenant === 'string' ? ok({ format, tenant }) : err('it names no tenant')
}

export function parseArchiveLine(line: string): Result<ArchiveLine, string> {
  const read = readMembers(line, ['dfid', 'leaf', 'payload'], 'text')
  if (!read.ok) return read
  const { dfid, leaf, payload } = read.value
  const text = read.value.text === undefined ? null : parseText(read.value.text)
  if (text === undefined) return err('its text has another form')
  if (typeof dfid !== 'string' || typeof leaf !== 'number') return err('it names no entry')
  if (!Number.isSafeInteger(leaf) || leaf < 0) return err('it names no entry')
  if (!isObject(payload)) return err('its payload is no object')
  return ok({ dfid, leaf, payload: toCanonicalText(payload), text })
}

/** Undefined: it has another form. */
function parseText(value: JsonValue): GenerationText | undefined {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'failure,request,response')
    return undefined
  const { request, response, failure } = value
  if (typeof request !== 'string') return undefined
  return isTextOrNull(response) && isTextOrNull(failure)
    ? { request, response, failure }
    : undefined
}

function isTextOrNull(value: JsonValue | undefined): value is string | null {
  return value === null || typeof value === 'string'
}

/** A payload holds several documents, each up to the kernel's own limits; an exported ledger has the same. */
const LINE_LIMITS: JsonLimits = { depth: 128, bytes: 16_777_216, keys: 262_144 }

function readMembers(
  line: string,
  names: readonly string[],
  optional?: string,
): Result<JsonObject, string> {
  const parsed = parseJson(line, LINE_LIMITS)
  if (!parsed.ok) return err(parsed.error.detail)
  const { value } = parsed
  if (!isObject(value)) return err('it is no object')
  const given = Object.keys(value).filter((name) => name !== optional)
  if (given.sort().join() !== names.join()) return err('it has other members')
  return toCanonicalText(value) === line ? ok(value) : err('it is not its own canonical form')
}
