/**
 * The events of a folder, one a line, in a file that only grows.
 *
 * E1 an event is there whole or not at all: a last line without its end was never recorded, and is cut off by the next one.
 * E2 an event that was recorded is not recorded again.
 * E3 a line that is no event, or out of its order, stops whoever reads: nothing is undone on a history with a hole.
 */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { assert, err, ok, type Result } from 'rubicon-kernel'
import { NODE_DISK } from '../files/disk.ts'
import { findErrorCode } from '../files/file-problem.ts'
import { type ArtifactEvent, parseArtifactEvent } from './artifact-event.ts'

export type LogProblem = {
  readonly code: 'HISTORY_BROKEN'
  readonly detail: string
  /** From 1 on. */
  readonly line: number
}

export interface EventLog {
  readonly events: readonly ArtifactEvent[]
  append(event: ArtifactEvent): void
}

export function createMemoryLog(): EventLog {
  const events: ArtifactEvent[] = []
  const known = new Set<string>()
  return {
    events,
    append: (event) => {
      if (known.has(event.id)) return
      assert(event.seq === events.length + 1, 'events are recorded in their order')
      known.add(event.id)
      events.push(event)
    },
  }
}

/** Read once; whoever appends has the lock of the folder. */
export function openFileLog(path: string): Result<EventLog, LogProblem> {
  const text = readIfThere(path)
  if (text === null)
    return err({ code: 'HISTORY_BROKEN', detail: `\`${path}\` is no regular file`, line: 1 })
  const length = text.lastIndexOf('\n') + 1
  const events: ArtifactEvent[] = []
  for (const [index, line] of text.slice(0, length).split('\n').slice(0, -1).entries()) {
    const event = parseLine(line)
    if (event?.seq !== index + 1) {
      const detail = `line ${index + 1} of \`${path}\` is not event ${index + 1}`
      return err({ code: 'HISTORY_BROKEN', detail, line: index + 1 })
    }
    events.push(event)
  }
  const known = new Set(events.map(({ id }) => id))
  let end = Buffer.byteLength(text.slice(0, length))
  const append = (event: ArtifactEvent): void => {
    if (known.has(event.id)) return
    assert(event.seq === events.length + 1, 'events are recorded in their order')
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`)
    appendBytes(path, end, bytes)
    end += bytes.length
    known.add(event.id)
    events.push(event)
  }
  return ok({ events, append })
}

function parseLine(line: string): ArtifactEvent | null {
  try {
    return parseArtifactEvent(JSON.parse(line))
  } catch {
    return null
  }
}

/** Null: it is no regular file. A pipe is opened without waiting for somebody who writes into it. */
function readIfThere(path: string): string | null {
  let file: number | null = null
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return fstatSync(file).isFile() ? readFileSync(file, 'utf8') : null
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return ''
    throw error
  } finally {
    if (file !== null) closeSync(file)
  }
}

const GROWING = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW

/** Behind what is whole. On a full disk what came of it is taken away again. */
function appendBytes(path: string, end: number, bytes: Uint8Array): void {
  const file = openSync(path, GROWING, 0o600)
  try {
    ftruncateSync(file, end)
    writeFileSync(file, bytes)
    fsyncSync(file)
  } catch (error) {
    ftruncateSync(file, end)
    throw error
  } finally {
    closeSync(file)
  }
  NODE_DISK.flushFolder(dirname(path))
}
