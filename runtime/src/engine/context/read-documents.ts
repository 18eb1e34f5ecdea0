/** Documents as they are kept: which there are, and one of them in its pieces. */
import { type FactLabel, LIMITS } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Context } from '../engine-context.ts'
import { type Owner, toChunkKey, toDocumentGroup, toDocumentName } from './artifact-keys.ts'

export type DocumentSummary = {
  readonly name: string
  readonly title: string
  readonly label: FactLabel
  /** SHA-256 of its text, as it was cleaned. */
  readonly hash: string
  /** None while it is being written. */
  readonly chunks: number
}

export type DocumentText = DocumentSummary & {
  /** From the one that was asked for, in their order; blank lines between paragraphs are not kept. */
  readonly pieces: readonly string[]
  /** The number of the first piece that is not here; null: there are no more. */
  readonly next: number | null
}

/** By name, from behind `after`. */
export async function listDocuments(
  { store }: Pick<Context, 'store'>,
  owner: Owner,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<readonly DocumentSummary[]> {
  const range = { limit, ...(after === undefined ? {} : { after }) }
  return (await store.listRecords('artifact', toDocumentGroup(owner), range)).map(toDocumentSummary)
}

/** Null: there is none of that name. */
export async function readDocument(
  { store }: Pick<Context, 'store'>,
  owner: Owner,
  name: string,
  from: number,
): Promise<DocumentText | null> {
  const known = await store.readRecord('artifact', toDocumentGroup(owner), name)
  if (known === null) return null
  const summary = toDocumentSummary(known)
  const last = Math.min(summary.chunks, from + LIMITS.documentPieces)
  const after = from === 0 ? {} : { after: toChunkKey(from - 1) }
  const range = { ...after, limit: LIMITS.documentPieces }
  const pieces =
    last <= from
      ? []
      : await store.listRecords('artifact_chunk', toDocumentName(owner, name), range)
  const texts = pieces.slice(0, last - from).map(({ body }) => body.text)
  return { ...summary, pieces: texts, next: last < summary.chunks ? last : null }
}

function toDocumentSummary({ key: name, body }: StoredRecord<'artifact'>): DocumentSummary {
  const { title, label, hash, chunks } = body
  return { name, title, label, hash, chunks }
}
