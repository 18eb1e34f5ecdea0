/**
 * The files of `main`, written together or not at all.
 *
 * W1 nothing is written once the time of the effect is over: it is looked at when the folder is locked, and nothing is waited for from
 *    there to the last rename. So whoever holds the lock later finds the files as they will stay.
 * W2 a write of another tool that was not finished is not ours to finish: its record would be lost.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type FileArtifact,
  type FileChange,
  type FileProblem,
  FilesSession,
  RECORD_FOLDER,
  readArtifact,
} from 'rubicon-artifacts/files'
import { isObject, type JsonValue, type Result } from 'rubicon-kernel'
import { NotApplied } from '../ports/capability.ts'
import { toFileRefusal } from './refusal.ts'
import type { FilesPlace } from './workshop.ts'

/** What is noted with a write: by which effect it was made. */
export type WriteNote = { readonly by: 'runtime'; readonly dfid: string; readonly step_id: string }

/** Throws `NotApplied` where nothing was written; anything else is uncertain. */
export function writeFiles(
  place: FilesPlace,
  changes: readonly FileChange[],
  note: WriteNote,
  signal: () => AbortSignal,
): void {
  const session = unwrapFiles(openSession(place))
  try {
    if (signal().aborted)
      throw new NotApplied('the time for it was over before anything was written', {
        transient: true,
      })
    const written = session.write(changes, note)
    if (written.ok) return
    // What failed and could not be undone either has happened in part: that is for the probe to find out.
    const isTouched = changes.some((change) => compareFile(place, change) === 'after')
    if (!isTouched) throw toFileRefusal(written.error)
    throw new Error(`${written.error.code}: ${written.error.detail}`)
  } finally {
    session.close()
  }
}

/**
 * Finishes or undoes what an earlier process left half written. Whoever applies or probes does so, too; but a person may look at
 * the files before anybody does, and has to find all of them or none.
 */
export function recoverFiles(place: FilesPlace): void {
  if (!existsSync(join(place.root.folder, ...RECORD_FOLDER))) return
  try {
    unwrapFiles(openSession(place)).close()
  } catch (error) {
    // Somebody else writes just now, or it is not ours to finish: whoever writes next hears of it.
    if (!(error instanceof NotApplied)) throw error
  }
}

export type FilesState = 'before' | 'after' | 'other'
/** `same`: it is as it was, and would be no other behind the write. So it says nothing of whether that happened. */
type FileState = FilesState | 'same'

/** What is there, once nobody writes any more and what was left half done is finished or undone. */
export function inspectFiles(place: FilesPlace, changes: readonly FileChange[]): FilesState {
  const session = unwrapFiles(openSession(place))
  try {
    return findState(place, changes)
  } finally {
    session.close()
  }
}

/** Reads files as they are while nobody writes. */
export function readFiles(
  place: FilesPlace,
  names: readonly string[],
): readonly Result<FileArtifact, FileProblem>[] {
  const session = unwrapFiles(openSession(place))
  try {
    return names.map((name) => readArtifact(place.root, name))
  } finally {
    session.close()
  }
}

function findState(place: FilesPlace, changes: readonly FileChange[]): FilesState {
  const states = changes
    .map((change) => compareFile(place, change))
    .filter((state) => state !== 'same')
  if (states.every((state) => state === 'after')) return 'after'
  return states.every((state) => state === 'before') ? 'before' : 'other'
}

function compareFile(place: FilesPlace, { id, before, bytes }: FileChange): FileState {
  const read = readArtifact(place.root, id)
  const now = read.ok ? read.value : null
  if (!read.ok && read.error.code !== 'FILE_MISSING') return 'other'
  const isBefore = (now?.hash ?? null) === before
  if (bytes === null ? now === null : now !== null && Buffer.compare(now.bytes, bytes) === 0)
    return isBefore ? 'same' : 'after'
  return isBefore ? 'before' : 'other'
}

const UNFINISHED: FileProblem = {
  code: 'FILES_LOCKED',
  detail: 'a write of another tool was not finished',
  file: null,
  fix: 'run that tool once more: it finishes or undoes what it began',
}

function openSession({ root, disk }: FilesPlace): Result<FilesSession, FileProblem> {
  return FilesSession.open(
    root,
    {
      has: () => false,
      add: (note: JsonValue) => {
        // W2.
        if (!isObject(note) || note.by !== 'runtime') throw toFileRefusal(UNFINISHED)
      },
    },
    disk,
  )
}

function unwrapFiles(opened: Result<FilesSession, FileProblem>): FilesSession {
  if (!opened.ok) throw toFileRefusal(opened.error)
  return opened.value
}
