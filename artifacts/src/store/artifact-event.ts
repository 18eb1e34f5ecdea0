/** What happened to artifacts, once: who changed what, by which deltas, and how it is taken back. */
import { isExactInstant, type JsonValue } from 'rubicon-kernel'
import type { Splice } from '../text/splice.ts'
import { type ContentHash, isContentHash } from './content-hash.ts'

/** One delta, as it came to be on one text, and what gives back the text before. */
export type EventStep = {
  readonly splices: readonly Splice[]
  readonly inverse: readonly Splice[]
}

export type EventFile = {
  readonly id: string
  /** Null: it was not there. */
  readonly before: ContentHash | null
  /** Null: it is not there any more. */
  readonly after: ContentHash | null
}

/** What is long, and lies in a blob. */
export type EventBody = {
  readonly deltas: readonly JsonValue[]
  /** In the order of `files`; of each the steps from its text before to its text after. */
  readonly steps: readonly (readonly EventStep[])[]
}

/** A line of the log. */
export type ArtifactEvent = {
  /** From 1 on, without a gap. */
  readonly seq: number
  /** By which it is known whether it was recorded already. */
  readonly id: string
  readonly at: string
  readonly author: string
  /** The event whose inverse this one is; null: none. */
  readonly undoes: number | null
  readonly files: readonly EventFile[]
  readonly body: ContentHash
  /** All names that the history knows, with their hashes. */
  readonly root_before: ContentHash
  readonly root_after: ContentHash
}

/** Null: it is none. */
export function parseArtifactEvent(value: unknown): ArtifactEvent | null {
  if (!isRecord(value)) return null
  const { seq, id, at, author, undoes, files, body, root_before, root_after } = value
  if (!isSeq(seq) || typeof id !== 'string' || typeof author !== 'string') return null
  if (typeof at !== 'string' || !isExactInstant(at)) return null
  if (undoes !== null && (!isSeq(undoes) || undoes >= seq)) return null
  if (!Array.isArray(files) || !files.every(isEventFile)) return null
  if (!isContentHash(body) || !isContentHash(root_before) || !isContentHash(root_after)) return null
  return { seq, id, at, author, undoes, files, body, root_before, root_after }
}

/** Null: it is none. */
export function parseEventBody(value: unknown): EventBody | null {
  if (!isRecord(value)) return null
  const { deltas, steps } = value
  if (!Array.isArray(deltas) || !Array.isArray(steps)) return null
  const isFine = steps.every((list) => Array.isArray(list) && list.every(isEventStep))
  return isFine ? { deltas, steps } : null
}

function isEventStep(value: unknown): value is EventStep {
  if (!isRecord(value)) return false
  const { splices, inverse } = value
  return [splices, inverse].every((list) => Array.isArray(list) && list.every(isSplice))
}

function isSplice(value: unknown): value is Splice {
  if (!isRecord(value)) return false
  const { start, end, text } = value
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && typeof text === 'string'
}

function isEventFile(value: unknown): value is EventFile {
  if (!isRecord(value)) return false
  const { id, before, after } = value
  const isHash = (one: unknown): boolean => one === null || isContentHash(one)
  return typeof id === 'string' && isHash(before) && isHash(after)
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
