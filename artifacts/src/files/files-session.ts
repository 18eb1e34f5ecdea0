/**
 * The one writer of a folder: it has the lock, and what an earlier one left half done is finished or undone before it begins.
 *
 * S1 several files are written together or not at all, whatever ends the process, and whatever the disk refuses.
 * S2 a file that is not what the change was planned on refuses all of them, before anything is written.
 * S3 what is recorded of a write is recorded with it: a write that was finished by a later process is recorded by it, once.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import {
  commitWrite,
  discardWrite,
  isFinishable,
  prepareWrite,
  sweepWrite,
  undoWrite,
  type WritePlace,
} from './carry-out.ts'
import { type Disk, NODE_DISK, removeIfThere } from './disk.ts'
import { type CheckedChange, checkChanges, type FileChange } from './file-change.ts'
import { createFileProblem, describeDiskError, type FileProblem } from './file-problem.ts'
import { type FilesRoot, followSegments } from './files-root.ts'
import { type Journal, readJournal } from './journal.ts'
import { acquireLock, type HeldLock } from './lock.ts'
import { RECORD_FOLDER } from './record-folder.ts'

/** What is kept of writes. It may be asked to add what it has: then nothing comes of it. */
export interface WriteRecord {
  has(note: JsonValue): boolean
  add(note: JsonValue): void
}

export type Recovery = {
  readonly outcome: 'finished' | 'undone'
  readonly files: readonly string[]
  /** Files that somebody else has changed since; they were left as they are. */
  readonly changed_by_others: readonly string[]
}

export class FilesSession {
  readonly #place: WritePlace
  readonly #lock: HeldLock
  readonly #kept: WriteRecord
  /** What was left half done; null: nothing. */
  readonly recovered: Recovery | null

  private constructor(
    place: WritePlace,
    lock: HeldLock,
    kept: WriteRecord,
    recovered: Recovery | null,
  ) {
    this.#place = place
    this.#lock = lock
    this.#kept = kept
    this.recovered = recovered
  }

  static open(
    root: FilesRoot,
    kept: WriteRecord,
    disk: Disk = NODE_DISK,
  ): Result<FilesSession, FileProblem> {
    const record = openRecordFolder(root)
    if (!record.ok) return record
    const lock = acquireLock(disk, record.value)
    if (!lock.ok) return lock
    const place = { root, disk, record: record.value }
    let isOpen = false
    try {
      const recovered = tryOnDisk(() => recoverWrite(place, kept))
      isOpen = recovered.ok
      return recovered.ok
        ? ok(new FilesSession(place, lock.value, kept, recovered.value))
        : recovered
    } finally {
      // Also when the record throws.
      if (!isOpen) tryOnDisk(() => ok(lock.value.release()))
    }
  }

  write(changes: readonly FileChange[], note: JsonValue): Result<void, FileProblem> {
    const checked = checkChanges(this.#place.root, changes)
    if (!checked.ok) return checked
    const journal = createJournal(this.#place.root, checked.value, note)
    const prepared = tryOnDisk(() => ok(prepareWrite(this.#place, journal, checked.value)))
    if (!prepared.ok)
      return this.#giveUp(prepared.error, () => ok(discardWrite(this.#place, journal)))
    const done = tryOnDisk(() => {
      const committed = commitWrite(this.#place, journal)
      if (committed.ok) this.#kept.add(note)
      return committed
    })
    if (!done.ok) return this.#giveUp(done.error, () => undoWrite(this.#place, journal))
    // Everything is written and recorded: what is left over is taken away now, or by the next one.
    tryOnDisk(() => ok(sweepWrite(this.#place, journal)))
    return done
  }

  close(): void {
    tryOnDisk(() => ok(this.#lock.release()))
  }

  /** What cannot be undone now is undone by the next one, by the journal; that is another problem than the first. */
  #giveUp(
    problem: FileProblem,
    back: () => Result<unknown, FileProblem>,
  ): Result<never, FileProblem> {
    const undone = tryOnDisk(back)
    if (undone.ok) return err(problem)
    const detail = `${problem.detail}; undoing it failed, too: ${undone.error.detail}`
    const fix = 'repair the disk; the next command on these files finishes or undoes the write'
    return err(createFileProblem(problem.code, problem.file, detail, fix))
  }
}

function recoverWrite(place: WritePlace, kept: WriteRecord): Result<Recovery | null, FileProblem> {
  for (const name of readdirSync(place.record))
    if (name.startsWith('journal.json.')) removeIfThere(place.disk.unlink, join(place.record, name))
  const read = readJournal(place.record)
  if (!read.ok) return read
  const journal = read.value
  if (journal === null) return ok(null)
  const files = journal.changes.map(({ id }) => id)
  for (const id of files) {
    const found = followSegments(place.root, id, id.split('/'))
    if (!found.ok) return found
  }
  for (const folder of journal.folders) {
    const found = followSegments(place.root, folder, folder.split('/'))
    if (!found.ok && found.error.code === 'FILE_LINK') return found
  }
  if (journal.stage === 'discard') {
    discardWrite(place, journal)
    return ok({ outcome: 'undone', files, changed_by_others: [] })
  }
  if (journal.stage === 'clean' || kept.has(journal.note)) {
    sweepWrite(place, journal)
    return ok({ outcome: 'finished', files, changed_by_others: [] })
  }
  return finishOrUndo(place, journal, kept)
}

function finishOrUndo(
  place: WritePlace,
  journal: Journal,
  kept: WriteRecord,
): Result<Recovery, FileProblem> {
  const files = journal.changes.map(({ id }) => id)
  const can = isFinishable(place, journal)
  if (!can.ok) return can
  if (can.value && commitWrite(place, journal).ok) {
    kept.add(journal.note)
    sweepWrite(place, journal)
    return ok({ outcome: 'finished', files, changed_by_others: [] })
  }
  const undone = undoWrite(place, journal)
  return undone.ok ? ok({ outcome: 'undone', files, changed_by_others: undone.value }) : undone
}

function createJournal(
  root: FilesRoot,
  changes: readonly CheckedChange[],
  note: JsonValue,
): Journal {
  return {
    write: randomBytes(8).toString('hex'),
    stage: 'discard',
    folders: listMissingFolders(root, changes),
    changes: changes.map(({ id, before, after }) => ({ id, before, after })),
    note,
  }
}

/** The outer ones first. */
function listMissingFolders(root: FilesRoot, changes: readonly CheckedChange[]): readonly string[] {
  const missing = new Set<string>()
  for (const { id, bytes } of changes) {
    if (bytes === null) continue
    const segments = dirname(id) === '.' ? [] : dirname(id).split('/')
    for (const index of segments.keys()) {
      const folder = segments.slice(0, index + 1)
      const found = followSegments(root, id, folder)
      if (found.ok && found.value.stats === null) missing.add(folder.join('/'))
    }
  }
  return [...missing]
}

/** Not through a link either: what lies there decides what is written. */
function openRecordFolder(root: FilesRoot): Result<string, FileProblem> {
  const folder = join(root.folder, ...RECORD_FOLDER)
  for (const depth of RECORD_FOLDER.keys()) {
    const segments = RECORD_FOLDER.slice(0, depth + 1)
    const found = followSegments(root, segments.join('/'), segments)
    if (!found.ok && found.error.code === 'FILE_LINK') return found
  }
  return tryOnDisk(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const link = readdirSync(folder, { withFileTypes: true }).find((entry) =>
      entry.isSymbolicLink(),
    )
    if (link === undefined) return ok(folder)
    const name = [...RECORD_FOLDER, link.name].join('/')
    return err(createFileProblem('FILE_LINK', name, `\`${name}\` is a symbolic link`))
  })
}

/** Errors of the disk are problems; every other one is a mistake in the program. */
function tryOnDisk<T>(act: () => Result<T, FileProblem>): Result<T, FileProblem> {
  try {
    return act()
  } catch (error) {
    return err(describeDiskError(error, null, 'write'))
  }
}
