/**
 * What a write is about to do, on the disk before it is done. A process that ends in between leaves it behind, and the next one reads
 * in it whether to finish or to undo.
 *
 * J1 `stage` says what whoever finds it does: `discard` what was prepared; `commit`, finish (or undo where a file is somebody else's by
 *    now); `clean`, take away what is left over.
 * J2 it is replaced whole: a name is changed once what it stands for is on the disk.
 * J3 what it names lies below the root, in the folders of the files that it is about: somebody may have written into it.
 */
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import { type ContentHash, isContentHash } from '../store/content-hash.ts'
import { findIdProblem } from './artifact-id.ts'
import { createWholeFile, type Disk, removeIfThere } from './disk.ts'
import { createFileProblem, type FileProblem } from './file-problem.ts'
import { readRegularFile } from './read-regular-file.ts'
import { formatRecordName } from './record-folder.ts'

export type JournalStage = 'discard' | 'commit' | 'clean'

export type JournalChange = {
  readonly id: string
  /** Null: it is not there. */
  readonly before: ContentHash | null
  readonly after: ContentHash | null
}

export type Journal = {
  readonly write: string
  readonly stage: JournalStage
  /** Folders that are made for it, the outer ones first. */
  readonly folders: readonly string[]
  readonly changes: readonly JournalChange[]
  /** What is recorded when it is done. */
  readonly note: JsonValue
}

const NAME = 'journal.json'
const VERSION = 1

/** The new bytes of the change at `index`, and the old ones, beside the file itself. */
export function formatDraftId(
  { write, changes }: Journal,
  index: number,
  which: 'new' | 'old',
): string {
  const id = changes[index]?.id ?? ''
  const folder = dirname(id)
  const name = `.rubicon-${write}-${index}.${which}`
  return folder === '.' ? name : `${folder}/${name}`
}

export function saveJournal(disk: Disk, folder: string, journal: Journal): void {
  const draft = join(folder, `${NAME}.${randomUUID()}`)
  const text = JSON.stringify({ version: VERSION, ...journal })
  createWholeFile(disk, draft, Buffer.from(text), { mode: 0o600, owner: null })
  disk.rename(draft, join(folder, NAME))
  disk.flushFolder(folder)
}

export function dropJournal(disk: Disk, folder: string): void {
  removeIfThere(disk.unlink, join(folder, NAME))
  disk.flushFolder(folder)
}

/** Null: nothing was left behind. */
export function readJournal(folder: string): Result<Journal | null, FileProblem> {
  const read = readRegularFile(join(folder, NAME), formatRecordName(NAME))
  if (!read.ok) return read.error.code === 'FILE_MISSING' ? ok(null) : read
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(read.value.bytes))
    const journal = parseJournal(value)
    return journal === null ? err(createBrokenProblem()) : ok(journal)
  } catch (error) {
    if (error instanceof SyntaxError) return err(createBrokenProblem())
    throw error
  }
}

function createBrokenProblem(): FileProblem {
  const detail = `\`${formatRecordName(NAME)}\` is no journal of a write`
  return createFileProblem('JOURNAL_BROKEN', null, detail)
}

/** Null: it is none. */
export function parseJournal(value: unknown): Journal | null {
  if (!isRecord(value) || value.version !== VERSION) return null
  const { write, stage, folders, changes, note } = value
  if (typeof write !== 'string' || !/^[0-9a-f]{16}$/.test(write)) return null
  if (stage !== 'discard' && stage !== 'commit' && stage !== 'clean') return null
  if (!Array.isArray(folders) || !folders.every(isId)) return null
  if (!Array.isArray(changes) || note === undefined) return null
  const parsed = changes.map(parseChange)
  const read = parsed.filter((change) => change !== null)
  if (read.length !== changes.length) return null
  return { write, stage, folders, changes: read, note: note as JsonValue }
}

function parseChange(value: unknown): JournalChange | null {
  if (!isRecord(value)) return null
  const { id, before, after } = value
  if (!isId(id) || !isHashOrNull(before) || !isHashOrNull(after)) return null
  return before === after ? null : { id, before, after }
}

function isHashOrNull(value: unknown): value is ContentHash | null {
  return value === null || isContentHash(value)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && findIdProblem(value) === null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
