/**
 * Full-text search over the reference documents, without a model. The store says where each word
 * stands; the rank is the kernel's, so that every store finds the same.
 */
import {
  type ArtifactRef,
  LIMITS,
  type RankedChunk,
  rankChunks,
  searchTerms,
  type WordHit,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Store } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import {
  type Owner,
  toChunkKey,
  toDocumentGroup,
  toDocumentName,
  toTotalsKey,
  toWordGroup,
} from './artifact-keys.ts'

/**
 * The pieces that fit the text best, best first: no more than a context shows. `agent`: of the documents
 * that everybody finds, and of its own.
 */
export async function searchArtifacts(
  { store }: Pick<Context, 'store'>,
  text: string,
  agent: Owner,
): Promise<readonly ArtifactRef[]> {
  const shared = await searchCollection(store, text, null)
  const own = agent === null ? [] : await searchCollection(store, text, agent)
  // Each is in its order already, and stays in it where scores are equal.
  const all = [...shared, ...own].sort((a, b) => b.score - a.score)
  return all.slice(0, LIMITS.contextArtifactChunks)
}

async function searchCollection(
  store: Store,
  text: string,
  owner: Owner,
): Promise<readonly ArtifactRef[]> {
  const { group, key } = toTotalsKey(owner)
  const totals = await store.readRecord('artifact_totals', group, key)
  if (totals === null || totals.body.chunks === 0) return []
  const terms = searchTerms(text)
  const hits: WordHit[] = []
  for (const term of terms) hits.push(...(await readWordHits(store, owner, term)))
  return readRankedChunks(store, owner, rankChunks(terms, hits, totals.body))
}

async function readRankedChunks(
  store: Store,
  owner: Owner,
  ranked: readonly RankedChunk[],
): Promise<readonly ArtifactRef[]> {
  const documents = new Map<string, StoredRecord<'artifact'> | null>()
  const found: ArtifactRef[] = []
  for (const { artifact: name, chunk, score } of ranked) {
    if (found.length === LIMITS.contextArtifactChunks) break
    if (!documents.has(name))
      documents.set(name, await store.readRecord('artifact', toDocumentGroup(owner), name))
    const document = documents.get(name)?.body
    // A document that is being replaced has no pieces yet.
    if (document === undefined || chunk >= document.chunks) continue
    const artifact = toDocumentName(owner, name)
    const piece = await store.readRecord('artifact_chunk', artifact, toChunkKey(chunk))
    if (piece === null) continue
    const { title, label } = document
    const { text: shown, tokens } = piece.body
    found.push({ artifact, chunk, title, label, text: shown, tokens, score })
  }
  return found
}

/** How many documents are looked at together. */
const PAGE = 32

/** Nothing for a word that stands nearly everywhere: to rank by it is to rank by nothing. */
async function readWordHits(store: Store, owner: Owner, term: string): Promise<readonly WordHit[]> {
  const hits: WordHit[] = []
  for (let after = ''; ; ) {
    const page = await store.listRecords('artifact_word', toWordGroup(owner, term), {
      after,
      limit: PAGE,
    })
    for (const { key: artifact, body } of page) {
      const { places } = body
      for (const [chunk, count, length] of places)
        hits.push({ term, artifact, chunk, count, length })
      if (places.length === 0 || hits.length > LIMITS.artifactWordPlaces) return []
    }
    if (page.length < PAGE) return hits
    after = page.at(-1)?.key ?? after
  }
}
