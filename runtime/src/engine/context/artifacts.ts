/**
 * Reference documents, cut into pieces and indexed by their words.
 *
 * A1 while a document is written it cannot be found; what makes it so comes last, in one unit with the
 *    totals. So the totals are those of what can be found.
 * A2 words are written after the pieces in which they stand and dropped before them. So whoever comes
 *    after a writer that was interrupted finds everything that it left.
 * A3 of two who write one document the later one wins, and the earlier one is told.
 */
import {
  countWords,
  encodeUtf8,
  err,
  type FactLabel,
  type Failure,
  hashText,
  isIdentifier,
  LIMITS,
  ok,
  type Result,
  splitIntoChunks,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Artifact, Indexed } from './artifact.ts'
import {
  type Owner,
  toChunkKey,
  toDocumentGroup,
  toDocumentName,
  toTotalsKey,
  toWordGroup,
} from './artifact-keys.ts'
import { sanitiseText } from './clean.ts'
import { resolveLabel } from './label.ts'
import { buildSecurityEvents } from './security-event.ts'

/** Long work beside decisions: called often, it lets everybody else go first now and then. */
export type InTurns = { readonly pause?: () => Promise<void> }

/** Whose word it is. */
export type ArtifactOptions = InTurns & { readonly by?: FactLabel }

/** A document of a collection. */
export type DocumentPlace = { readonly owner: Owner; readonly name: string }

/** How many records are written or read together. */
const PIECES_AT_ONCE = 100
const WORDS_AT_ONCE = 500

type Document = StoredRecord<'artifact'>['body']

/** Whose document it is; null or nobody: everybody finds it. */
export type Placed = InTurns & { readonly owner?: Owner }
type Pause = NonNullable<InTurns['pause']>

/** Where nobody else waits. */
const goOn: Pause = () => Promise.resolve()

export async function putArtifact(
  context: Context,
  artifact: Artifact,
  by: FactLabel,
  { owner = null, pause = goOn }: Placed = {},
): Promise<Result<Indexed, Failure>> {
  const problem = checkArtifact(artifact)
  if (problem !== null) return err(problem)
  const label = resolveLabel(by, artifact.label)
  if (!label.ok) return label
  const { name, text: original } = artifact
  const title = sanitiseText(artifact.title, label.value)
  const text = sanitiseText(original, label.value)
  const flags = [...new Set([...title.flags, ...text.flags])]
  const hash = hashText(text.value, context.sha256)
  const head = { title: title.value, label: label.value, hash, chunks: 0, length: 0 }
  const path = toDocumentName(owner, name)
  const suspicious = { where: 'artifact', path, label: label.value, original, flags } as const
  const at = { owner, name }
  const held = await begin(context, at, head, buildSecurityEvents(context, suspicious), pause)
  if (!held.ok) return held
  const { writes, chunks, length } = await buildArtifactIndex(
    context,
    at,
    splitIntoChunks(text.value),
    pause,
  )
  const written = await commitAll(context, held.value, writes, pause)
  if (!written.ok) return written
  const shown = { ...head, chunks, length }
  const ended = await change(context, at, held.value, shown, [buildDocumentWrite(at, shown)])
  return ended.ok ? ok({ name, hash, chunks, flags }) : ended
}

export async function dropArtifact(
  context: Context,
  name: string,
  { owner = null, pause = goOn }: Placed = {},
): Promise<Result<void, Failure>> {
  const at = { owner, name }
  const known = await context.store.readRecord('artifact', toDocumentGroup(owner), name)
  if (known === null) return err(buildUnknownArtifactFailure(name))
  const held = await begin(context, at, { ...known.body, chunks: 0, length: 0 }, [], pause)
  if (!held.ok) return held
  const drop = { kind: 'drop_record', record: 'artifact', group: toDocumentGroup(owner), key: name }
  return commitAll(context, held.value, [drop as Write], pause)
}

export function buildUnknownArtifactFailure(name: string): Failure {
  return { code: 'ARTIFACT_UNKNOWN', summary: `there is no document \`${name}\`` }
}

/** Whoever has it may write the document, until somebody else begins. */
type Hold = Guard

/** Hides the document, and takes away what there is of it. */
async function begin(
  context: Context,
  at: DocumentPlace,
  head: Document,
  events: readonly Write[],
  pause: Pause,
): Promise<Result<Hold, Failure>> {
  const placed = await placeDocument(context, at, head)
  if (!placed.ok) return placed
  const { version, body } = placed.value
  const writes = [buildDocumentWrite(at, head), ...events]
  const gone = { chunks: -body.chunks, length: -body.length }
  const hidden = await change(context, at, holdOf(at, version), gone, writes)
  if (!hidden.ok) return hidden
  const hold = holdOf(at, version + 1)
  const cleared = await commitAll(context, hold, await listArtifactDrops(context, at, pause), pause)
  return cleared.ok ? ok(hold) : cleared
}

/** As it is. A new one is put there first: with which version a record begins, nobody knows before (decision 0110). */
async function placeDocument(
  context: Context,
  at: DocumentPlace,
  head: Document,
): Promise<Result<StoredRecord<'artifact'>, Failure>> {
  const row = ['artifact', toDocumentGroup(at.owner), at.name] as const
  const known = await context.store.readRecord(...row)
  if (known !== null) return ok(known)
  const free = holdOf(at, null)
  const placed = await change(context, at, free, head, [buildDocumentWrite(at, head)], true)
  if (!placed.ok) return placed
  const fresh = await context.store.readRecord(...row)
  return fresh === null ? err(overtaken) : ok(fresh)
}

function holdOf({ owner, name: key }: DocumentPlace, version: number | null): Hold {
  return { kind: 'record_version', record: 'artifact', group: toDocumentGroup(owner), key, version }
}

/** Every record of the pieces, then of the words in them. */
async function buildArtifactIndex(
  context: Context,
  at: DocumentPlace,
  texts: readonly string[],
  pause: Pause,
): Promise<{
  readonly writes: readonly Write[]
  readonly chunks: number
  readonly length: number
}> {
  const tokenizer = await context.tokenizer()
  const writes: Write[] = []
  const places = new Map<string, (readonly [chunk: number, count: number, length: number])[]>()
  let all = 0
  for (const [chunk, text] of texts.entries()) {
    await pause()
    const { counts, length } = countWords(text)
    const body = { text, length, tokens: tokenizer.count(text) }
    all += length
    const [group, key] = [toDocumentName(at.owner, at.name), toChunkKey(chunk)]
    writes.push({ kind: 'put_record', record: 'artifact_chunk', group, key, body })
    for (const [word, count] of counts) {
      const found = places.get(word) ?? []
      places.set(word, found)
      found.push([chunk, count, length])
    }
  }
  for (const [word, found] of places) {
    const body = { places: found.length > LIMITS.artifactWordPlaces ? [] : found }
    const group = toWordGroup(at.owner, word)
    writes.push({ kind: 'put_record', record: 'artifact_word', group, key: at.name, body })
  }
  return { writes, chunks: texts.length, length: all }
}

/** What drops the words of a document, and then its pieces. */
async function listArtifactDrops(
  { store }: Context,
  { owner, name }: DocumentPlace,
  pause: Pause,
): Promise<readonly Write[]> {
  const whole = toDocumentName(owner, name)
  const words = new Set<string>()
  const pieces: Write[] = []
  for (let after = ''; ; ) {
    const page = await store.listRecords('artifact_chunk', whole, { after, limit: PIECES_AT_ONCE })
    for (const { key, body } of page) {
      await pause()
      for (const word of countWords(body.text).counts.keys()) words.add(word)
      pieces.push({ kind: 'drop_record', record: 'artifact_chunk', group: whole, key })
    }
    if (page.length < PIECES_AT_ONCE) break
    after = page.at(-1)?.key ?? after
  }
  const drop = { kind: 'drop_record', record: 'artifact_word', key: name } as const
  const dropped = [...words].map((word): Write => ({ ...drop, group: toWordGroup(owner, word) }))
  return [...dropped, ...pieces]
}

/** In their order, some at a time. */
async function commitAll(
  { store }: Context,
  hold: Hold,
  writes: readonly Write[],
  pause: Pause,
): Promise<Result<void, Failure>> {
  for (let from = 0; from < writes.length; from += WORDS_AT_ONCE) {
    await pause()
    const some = writes.slice(from, from + WORDS_AT_ONCE)
    const outcome = await store.commit({ guards: [hold], writes: some })
    if (!outcome.ok) return err(overtaken)
  }
  return ok(undefined)
}

/** The document, and the totals with it, in whatever order those of others change. */
async function change(
  { store }: Context,
  { owner }: DocumentPlace,
  hold: Hold,
  by: Pick<Document, 'chunks' | 'length'>,
  writes: readonly Write[],
  isNew = false,
): Promise<Result<void, Failure>> {
  const ref = { record: 'artifact_totals', ...toTotalsKey(owner) } as const
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const known = await store.readRecord('artifact_totals', ref.group, ref.key)
    // Counted under the totals, which every new document changes: two at once are not one too many.
    if (isNew && owner !== null && (await isFull(store, owner))) return err(full)
    const { chunks = 0, length = 0 } = known?.body ?? {}
    const body = { chunks: chunks + by.chunks, length: length + by.length }
    const outcome = await store.commit({
      guards: [hold, { kind: 'record_version', ...ref, version: known?.version ?? null }],
      writes: [...writes, { kind: 'put_record', ...ref, body }],
    })
    if (outcome.ok) return ok(undefined)
    if (outcome.failed.kind === 'record_version' && outcome.failed.record === 'artifact') break
  }
  return err(overtaken)
}

/** Operators are trusted with how many documents there are; an agent is not. */
async function isFull(store: Store, owner: string): Promise<boolean> {
  const limit = LIMITS.documentsPerAgent
  return (await store.listRecords('artifact', toDocumentGroup(owner), { limit })).length === limit
}

function buildDocumentWrite({ owner, name: key }: DocumentPlace, body: Document): Write {
  return { kind: 'put_record', record: 'artifact', group: toDocumentGroup(owner), key, body }
}

function checkArtifact({ name, title, text }: Artifact): Failure | null {
  if (!isIdentifier(name))
    return {
      code: 'ID_CHARSET',
      summary: `\`${String(name)}\` is not a valid name of a document`,
      why: 'a name has 1 to 128 of A-Z a-z 0-9 . _ : @ -',
    }
  if (!title.isWellFormed() || !text.isWellFormed())
    return {
      code: 'JSON_LONE_SURROGATE',
      summary: `\`${name}\` holds half a character`,
      fix: 'send it as UTF-8',
    }
  if (title.length <= LIMITS.identifierLength && encodeUtf8(text).length <= LIMITS.artifactBytes)
    return null
  return {
    code: 'BODY_TOO_LARGE',
    summary: `\`${name}\` has more than ${LIMITS.artifactBytes} bytes, or a title of more than ${LIMITS.identifierLength} characters`,
    fix: 'put it in as several documents',
  }
}

const overtaken: Failure = {
  code: 'STORE_CONTENTION',
  summary: 'somebody else is writing the document',
  fix: 'try again if yours is to replace it',
}

const full: Failure = {
  code: 'DOCUMENTS_FULL',
  summary: `the agent has ${LIMITS.documentsPerAgent} documents, and may have no more`,
  fix: 'drop one of them, or write over it',
}
