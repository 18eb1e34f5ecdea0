/**
 * The steps of a write, each of which can be the last one of a process.
 *
 * C1 prepare: nothing of what it makes is anybody's; the journal names it before it is made.
 * C2 commit: one rename a file. What was there stays beside it until everything is done, by a second name of the same file: whoever
 *    writes into it meanwhile is noticed, and loses nothing.
 * C3 undo: what is there is what was there before; then the journal says that the rest is to be thrown away.
 */
import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from 'rubicon-kernel'
import type { ContentHash } from '../store/content-hash.ts'
import { createWholeFile, type Disk, removeIfThere } from './disk.ts'
import { type CheckedChange, createChangedProblem, hashFile } from './file-change.ts'
import { createFileProblem, type FileProblem, findErrorCode } from './file-problem.ts'
import { type FilesRoot, followSegments } from './files-root.ts'
import { dropJournal, formatDraftId, type Journal, saveJournal } from './journal.ts'
import { readRegularFile } from './read-regular-file.ts'

export type WritePlace = {
  readonly root: FilesRoot
  readonly disk: Disk
  /** Where the journal lies. */
  readonly record: string
}

export function prepareWrite(
  { root, disk, record }: WritePlace,
  journal: Journal,
  changes: readonly CheckedChange[],
): void {
  saveJournal(disk, record, journal)
  for (const folder of journal.folders) {
    disk.mkdir(join(root.folder, folder))
    disk.flushFolder(dirname(join(root.folder, folder)))
  }
  for (const [index, { bytes, stats }] of changes.entries()) {
    if (bytes === null) continue
    const path = join(root.folder, formatDraftId(journal, index, 'new'))
    createWholeFile(disk, path, bytes, {
      mode: stats === null ? null : stats.mode & 0o7777,
      owner: stats === null ? null : { user: stats.uid, group: stats.gid },
    })
  }
  flushFolders({ root, disk }, journal)
  saveJournal(disk, record, { ...journal, stage: 'commit' })
}

/** From wherever an earlier process was stopped. A file that is somebody else's by now ends it. */
export function commitWrite(place: WritePlace, journal: Journal): Result<void, FileProblem> {
  const { root } = place
  for (const [index, change] of journal.changes.entries()) {
    const put = putChange(place, journal, index)
    if (!put.ok) return put
    if (put.value !== 'put') continue
    // Written by its second name after the last look at it.
    const old = join(root.folder, formatDraftId(journal, index, 'old'))
    const was = change.before === null ? ok(null) : hashFile(old, change.id)
    if (!was.ok) return was
    if (was.value !== change.before)
      return err(createChangedProblem(change.id, was.value, change.before))
  }
  flushFolders(place, journal)
  return ok(undefined)
}

function putChange(
  { root, disk }: WritePlace,
  journal: Journal,
  index: number,
): Result<'put' | 'was put', FileProblem> {
  const { id, before, after } = journal.changes[index] ?? { id: '', before: null, after: null }
  const found = followSegments(root, id, id.split('/'))
  if (!found.ok) return found
  const { path } = found.value
  const now = hashFile(path, id)
  if (!now.ok) return now
  if (now.value === after) return ok('was put')
  if (now.value !== before) return err(createChangedProblem(id, now.value, before))
  const [fresh, old] = (['new', 'old'] as const).map((which) =>
    join(root.folder, formatDraftId(journal, index, which)),
  ) as [string, string]
  if (after === null) disk.rename(path, old)
  else if (before === null) return putNew(disk, fresh, path, id)
  else {
    keepOld(disk, path, old, id)
    disk.rename(fresh, path)
  }
  return ok('put')
}

/** Never over what somebody put there a moment ago, where the disk can tell. */
function putNew(disk: Disk, from: string, to: string, id: string): Result<'put', FileProblem> {
  try {
    disk.link(from, to)
  } catch (error) {
    const code = findErrorCode(error)
    if (code === 'EEXIST')
      return err(createFileProblem('FILE_CHANGED', id, `\`${id}\` is there by now`))
    if (code === null || !WITHOUT_LINKS.includes(code)) throw error
    disk.rename(from, to)
  }
  return ok('put')
}

const WITHOUT_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

function keepOld(disk: Disk, path: string, old: string, id: string): void {
  removeIfThere(disk.unlink, old)
  try {
    disk.link(path, old)
  } catch (error) {
    const code = findErrorCode(error)
    if (code === null || !WITHOUT_LINKS.includes(code)) throw error
    const read = readRegularFile(path, id)
    if (!read.ok) throw error
    const { bytes, stats } = read.value
    createWholeFile(disk, old, bytes, {
      mode: stats.mode & 0o7777,
      owner: { user: stats.uid, group: stats.gid },
    })
  }
}

/** Whether every file that is not written yet can be: it is as it was, and its new bytes are at hand. */
export function isFinishable({ root }: WritePlace, journal: Journal): Result<boolean, FileProblem> {
  for (const [index, { id, before, after }] of journal.changes.entries()) {
    const now = hashFile(join(root.folder, id), id)
    if (!now.ok) return now
    if (now.value === after) continue
    const fresh = formatDraftId(journal, index, 'new')
    const isReady = after === null || findHash(root, fresh) === after
    if (now.value !== before || !isReady) return ok(false)
  }
  return ok(true)
}

function findHash({ folder }: FilesRoot, id: string): ContentHash | null {
  const hashed = hashFile(join(folder, id), id)
  return hashed.ok ? hashed.value : null
}

/** What somebody else has put in the place of a file since is left as it is, and named. */
export function undoWrite(
  place: WritePlace,
  journal: Journal,
): Result<readonly string[], FileProblem> {
  const { root, disk, record } = place
  const others: string[] = []
  for (const [index, { id, before, after }] of journal.changes.entries()) {
    const path = join(root.folder, id)
    const old = join(root.folder, formatDraftId(journal, index, 'old'))
    const now = hashFile(path, id)
    if (!now.ok) return now
    if (now.value === before) continue
    if (now.value !== after) others.push(id)
    else if (before === null) removeIfThere(disk.unlink, path)
    else if (existsSync(old)) disk.rename(old, path)
    else return err(createLostProblem(id))
  }
  flushFolders(place, journal)
  trySaving(disk, record, { ...journal, stage: 'discard' })
  discardWrite(place, journal)
  return ok(others)
}

function createLostProblem(id: string): FileProblem {
  const detail = `a write of \`${id}\` was not finished, and its former bytes are not there any more`
  return createFileProblem('JOURNAL_BROKEN', id, detail)
}

/** On a full disk the journal stays as it was: without the new bytes it is undone in any case. */
function trySaving(disk: Disk, record: string, journal: Journal): void {
  try {
    saveJournal(disk, record, journal)
  } catch (error) {
    if (findErrorCode(error) === null) throw error
  }
}

/** Takes away what was prepared, the folders too where nothing else came into them. */
export function discardWrite(place: WritePlace, journal: Journal): void {
  removeDrafts(place, journal)
  for (const folder of journal.folders.toReversed()) tryRemovingFolder(place, folder)
  dropJournal(place.disk, place.record)
}

function tryRemovingFolder({ root, disk }: WritePlace, folder: string): void {
  try {
    disk.rmdir(join(root.folder, folder))
  } catch (error) {
    const code = findErrorCode(error)
    if (code === null || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
}

export function sweepWrite(place: WritePlace, journal: Journal): void {
  trySaving(place.disk, place.record, { ...journal, stage: 'clean' })
  removeDrafts(place, journal)
  dropJournal(place.disk, place.record)
}

/** The new bytes first: without them nothing is finished that was called undone. */
function removeDrafts({ root, disk }: WritePlace, journal: Journal): void {
  for (const which of ['new', 'old'] as const)
    for (const index of journal.changes.keys())
      removeIfThere(disk.unlink, join(root.folder, formatDraftId(journal, index, which)))
}

function flushFolders({ root, disk }: Pick<WritePlace, 'root' | 'disk'>, journal: Journal): void {
  const folders = new Set(journal.changes.map(({ id }) => dirname(join(root.folder, id))))
  for (const folder of folders)
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
      disk.flushFolder(folder)
}
