/**
 * The events of a folder, one a line, in a file that only grows.
 *
 * E1 an event is there whole or not at all: a last line without its end was never recorded, and is cut off by the next one.
 * E2 an event that was recorded is not recorded again.
 * E3 a line that is no event, or out of its order, stops whoever reads: nothing is undone on a history with a hole.
 * E4 a line is parsed when somebody asks for its event, if its bytes are among those that were read line by line before; any other line
 *    is parsed at once. So whoever looks at one moment of a long history does not wait for all of it.
 */
import { closeSync, constants, fsyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { assert, err, ok, type Result } from 'rubicon-kernel'
import { NODE_DISK } from '../files/disk.ts'
import { type ArtifactEvent, parseArtifactEvent } from './artifact-event.ts'
import { findChecked, writeChecked } from './checked-lines.ts'
import { readIfThere } from './read-if-there.ts'

export type LogProblem = {
  readonly code: 'HISTORY_BROKEN'
  readonly detail: string
  /** From 1 on. */
  readonly line: number
}

export interface EventLog {
  /** All of them. */
  readonly events: readonly ArtifactEvent[]
  /** How many there are. */
  readonly length: number
  /** Undefined: there is no such event. */
  read(seq: number): ArtifactEvent | undefined
  append(event: ArtifactEvent): void
}

export function createMemoryLog(): EventLog {
  const events: ArtifactEvent[] = []
  const known = new Set<string>()
  return {
    events,
    get length() {
      return events.length
    },
    read: (seq) => events[seq - 1],
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
  const bytes = readIfThere(path)
  if (bytes === null)
    return err({ code: 'HISTORY_BROKEN', detail: `\`${path}\` is no regular file`, line: 1 })
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_END) + 1)
  const log = new FileLog(path, whole)
  const broken = log.readUnchecked()
  if (broken === null) return ok(log)
  const detail = `line ${broken} of \`${path}\` is not event ${broken}`
  return err({ code: 'HISTORY_BROKEN', detail, line: broken })
}

const LINE_END = 0x0a
/** Every so many events it is written down how much was read: so few are parsed by whoever opens the log. */
const CHECKED_EVERY = 256

class FileLog implements EventLog {
  readonly #path: string
  /** Those that are asked for; the others are where their lines begin and end. */
  readonly #events: (ArtifactEvent | undefined)[] = []
  readonly #ends: number[] = []
  readonly #bytes: Buffer
  /** Lines that were recorded since it was opened. */
  readonly #added: Buffer[] = []
  #size: number
  /** Lines that were read line by line before. */
  #checked = 0
  #known: Set<string> | null = null

  /** Whole lines. */
  constructor(path: string, bytes: Buffer) {
    this.#path = path
    this.#bytes = bytes
    this.#size = bytes.length
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, end + 1))
      this.#ends.push(end + 1)
  }

  get length(): number {
    return this.#ends.length
  }

  get events(): readonly ArtifactEvent[] {
    for (let seq = 1; seq <= this.length; seq += 1) this.read(seq)
    return this.#events as readonly ArtifactEvent[]
  }

  read(seq: number): ArtifactEvent | undefined {
    if (!Number.isSafeInteger(seq) || seq < 1 || seq > this.length) return undefined
    const known = this.#events[seq - 1]
    if (known !== undefined) return known
    const event = this.#parse(seq)
    assert(event !== null, 'a line that was read line by line before is its event')
    this.#events[seq - 1] = event
    return event
  }

  /** The first line that is not its event, from 1 on; null: all of them are. */
  readUnchecked(): number | null {
    const checked = findChecked(this.#path, this.#bytes)
    const isAtEnd = checked !== null && (this.#ends[checked.events - 1] ?? 0) === checked.bytes
    this.#checked = isAtEnd ? checked.events : 0
    for (let seq = this.#checked + 1; seq <= this.length; seq += 1) {
      const event = this.#parse(seq)
      if (event === null) return seq
      this.#events[seq - 1] = event
    }
    return null
  }

  append(event: ArtifactEvent): void {
    this.#known ??= new Set(this.events.map(({ id }) => id))
    if (this.#known.has(event.id)) return
    assert(event.seq === this.length + 1, 'events are recorded in their order')
    const line = Buffer.from(`${JSON.stringify(event)}\n`)
    appendBytes(this.#path, this.#size, line)
    this.#added.push(line)
    this.#size += line.length
    this.#ends.push(this.#size)
    this.#events[event.seq - 1] = event
    this.#known.add(event.id)
    if (this.length - this.#checked < CHECKED_EVERY) return
    writeChecked(this.#path, this.length, Buffer.concat([this.#bytes, ...this.#added]))
    this.#checked = this.length
  }

  /** Null: it is none, or another one. */
  #parse(seq: number): ArtifactEvent | null {
    const line = this.#bytes.toString('utf8', this.#ends[seq - 2] ?? 0, this.#ends[seq - 1])
    const event = parseLine(line)
    return event?.seq === seq ? event : null
  }
}

function parseLine(line: string): ArtifactEvent | null {
  try {
    return parseArtifactEvent(JSON.parse(line))
  } catch {
    return null
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
