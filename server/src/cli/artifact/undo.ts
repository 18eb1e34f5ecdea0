/** `rubicon artifact undo [EVENT]`: the recorded inverse of an event, also of an older one where nothing stands on it. */
import { readArtifact } from 'rubicon-artifacts/files'
import {
  type ArtifactEvent,
  type ArtifactHistory,
  type ChangedFile,
  type FilePast,
  listReplayed,
  planUndo,
} from 'rubicon-artifacts/store'
import { type CommandCall, countOf } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import { formatTable, SYMBOLS } from '../output.ts'
import {
  type ArtifactPlace,
  openArtifactPlace,
  openHistory,
  parseBytes,
  unwrapFile,
  unwrapHistory,
} from './artifact-place.ts'
import { listStepLines, showChangedLines } from './changed-lines.ts'
import { runWriter } from './write-event.ts'

export type EventRow = {
  readonly seq: number
  readonly at: string
  readonly author: string
  readonly files: readonly string[]
  readonly undoes: number | null
  readonly undone_by: number | null
}

export async function undoEvent(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const place = openArtifactPlace(call)
  if (options.hasFlag('list')) return listEvents(call, openHistory(place))
  const given = args[0] === undefined ? null : countOf(args[0], 'EVENT', 1)
  return runWriter(call, place, async ({ history, write }) => {
    const event = chooseEvent(history.events, given)
    const files = await planFiles(place, history, event)
    const done = await write({ undoes: event.seq, deltas: [], files })
    const lines = files.flatMap(({ id, before, steps }) => {
      const changes = listStepLines(Buffer.from(before ?? []).toString(), steps)
      showChangedLines(out, id, changes)
      return changes.map((change) => ({ file: id, ...change }))
    })
    out.line(`${out.symbol(SYMBOLS.repeated)} event ${event.seq} is undone (event ${done.seq})`)
    out.data({
      events: null,
      undone: event.seq,
      event: done.seq,
      files: event.files.map(({ id }) => id),
      lines,
    })
    return EXIT.done
  })
}

function listEvents({ out }: CommandCall, { events }: ArtifactHistory): ExitCode {
  const rows = events.map((event) => toRow(event, events))
  const cells = rows.map((row) => [
    String(row.seq),
    row.at,
    row.author,
    row.files.join(', '),
    row.undoes === null
      ? row.undone_by === null
        ? ''
        : `undone by ${row.undone_by}`
      : `undoes ${row.undoes}`,
  ])
  for (const line of formatTable(cells, out.width)) out.line(line)
  out.data({ events: rows, undone: null, event: null, files: [], lines: [] })
  return EXIT.done
}

function toRow(
  { seq, at, author, files, undoes }: ArtifactEvent,
  events: readonly ArtifactEvent[],
): EventRow {
  const undone_by = findUndoing(events, seq)?.seq ?? null
  return { seq, at, author, files: files.map(({ id }) => id), undoes, undone_by }
}

function findUndoing(events: readonly ArtifactEvent[], seq: number): ArtifactEvent | undefined {
  return events.find((event) => event.undoes === seq)
}

/** The last one that is not undone, where none is named. */
function chooseEvent(events: readonly ArtifactEvent[], given: number | null): ArtifactEvent {
  const isOpen = ({ seq, undoes }: ArtifactEvent): boolean =>
    undoes === null && findUndoing(events, seq) === undefined
  const event = given === null ? events.findLast(isOpen) : events[given - 1]
  if (event === undefined)
    throw new CliFailure({
      code: 'ARTIFACT_EVENT_UNKNOWN',
      summary: given === null ? 'there is nothing to undo' : `there is no event ${given}`,
      fix: '`rubicon artifact undo --list` shows all events',
    })
  const undoing = findUndoing(events, event.seq)
  if (undoing !== undefined)
    throw new CliFailure({
      code: 'UNDO_DONE',
      summary: `event ${event.seq} was undone by event ${undoing.seq}`,
      fix: 'to have it again, apply its delta again',
    })
  if (event.undoes !== null)
    throw new CliFailure({
      code: 'UNDO_DONE',
      summary: `event ${event.seq} undoes event ${event.undoes}, and is not undone itself`,
      fix: `to have event ${event.undoes} again, apply its delta again`,
    })
  return event
}

/** All files of the event, or none. */
async function planFiles(
  place: ArtifactPlace,
  history: ArtifactHistory,
  event: ArtifactEvent,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = []
  for (const { id } of event.files) {
    const now = unwrapFile(readArtifact(place.root, id))
    // Nothing of what is there could be kept: it is no text that something could be put back into.
    if (now.text === null)
      throw new CliFailure({
        code: 'ARTIFACT_UNREADABLE',
        summary: `event ${event.seq} cannot be undone: \`${id}\` is not UTF-8 any more, or too large`,
        fix: 'save it as UTF-8, then undo the event',
      })
    const past = await readPast(history, event, id)
    const planned = planUndo(past, event.seq, now.text)
    if (!planned.ok) throw createUndoFailure(id, planned.error)
    const after = Buffer.from(planned.value.text)
    checkLeft(id, after, event.seq)
    files.push({ id, before: now.bytes, after, steps: planned.value.steps })
  }
  return files
}

/** What is left has to be a text of its format by itself. */
function checkLeft(id: string, after: Uint8Array, seq: number): void {
  try {
    parseBytes(id, after)
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    throw new CliFailure({
      code: 'UNDO_BLOCKED',
      summary: `event ${seq} cannot be undone: what is left would not parse: ${error.failure.summary}`,
      fix: 'undo the events after it first, the last one first',
      meta: { file: id, events: [], unrecorded: false },
    })
  }
}

function createUndoFailure(
  id: string,
  problem: Extract<ReturnType<typeof planUndo>, { ok: false }>['error'],
): CliFailure {
  const { code, detail, events, unrecorded } = problem
  const last = events.at(-1)
  const fix = unrecorded
    ? 'take back the edit in the file first'
    : last === undefined
      ? 'compare the file with its versions below `.rubicon/artifacts/objects`'
      : `undo ${events.length === 1 ? 'it' : 'these'} first: \`rubicon artifact undo ${last}\``
  return new CliFailure({
    code,
    summary: `${id}: ${detail}`,
    fix,
    meta: { file: id, events: [...events], unrecorded },
  })
}

/** What happened to the file, as far as undoing the event depends on it. */
async function readPast(
  history: ArtifactHistory,
  event: ArtifactEvent,
  id: string,
): Promise<readonly FilePast[]> {
  const past: FilePast[] = []
  for (const one of listReplayed(history.events, event.seq, id)) {
    const index = one.files.findIndex((file) => file.id === id)
    const file = one.files[index]
    if (file === undefined) continue
    const { steps } = unwrapHistory(await history.readBody(one))
    const [before, after] = [
      await readVersion(history, file.before),
      await readVersion(history, file.after),
    ]
    past.push({ event: one, before, after, steps: steps[index] ?? [] })
  }
  return past
}

async function readVersion(
  history: ArtifactHistory,
  hash: ArtifactEvent['files'][number]['before'],
): Promise<string> {
  if (hash === null) return ''
  return Buffer.from(unwrapHistory(await history.readBlob(hash))).toString()
}
