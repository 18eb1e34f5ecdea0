/**
 * What undoing an event comes to now, whatever came after it.
 *
 * U1 the recorded inverse of the event is applied, moved to where its text is now; everything that came later stays.
 * U2 the history is followed from the first event that a later one undoes: two removals side by side come back in their order only
 *    where both are known.
 * U3 an event on whose text a later one stands, or an edit that nobody recorded, is not undone: those are named.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import { TextHistory } from '../text/history.ts'
import { invertSplices, type Splice } from '../text/splice.ts'
import type { ArtifactEvent, EventStep } from './artifact-event.ts'

/** One event as it was for one file. */
export type FilePast = {
  readonly event: ArtifactEvent
  readonly before: string
  readonly after: string
  readonly steps: readonly EventStep[]
}

/** What of it is needed to undo it. */
type KnownPast = Omit<FilePast, 'event'> & {
  readonly event: Pick<ArtifactEvent, 'seq' | 'undoes'>
}

export type UndoProblem = {
  readonly code: 'UNDO_BLOCKED' | 'HISTORY_BROKEN'
  readonly detail: string
  /** Events that stand on it. */
  readonly events: readonly number[]
  /** An edit that nobody recorded stands on it. */
  readonly unrecorded: boolean
}

export type UndonePlan = { readonly text: string; readonly steps: readonly EventStep[] }

/** The events of a file that have to be known to undo one of them, in their order (U2). */
export function listReplayed(
  events: readonly ArtifactEvent[],
  seq: number,
  id: string,
): readonly ArtifactEvent[] {
  const ofFile = events.filter(({ files }) => files.some((file) => file.id === id))
  let start = seq
  for (const event of ofFile.toReversed())
    if (event.seq >= start && event.undoes !== null) start = Math.min(start, event.undoes)
  return ofFile.filter((event) => event.seq >= start)
}

/** `past` is what `listReplayed` names; `now` is the text on the disk. */
export function planUndo(
  past: readonly KnownPast[],
  seq: number,
  now: string,
): Result<UndonePlan, UndoProblem> {
  const [first] = past
  const undone = past.find(({ event }) => event.seq === seq)
  if (first === undefined || undone === undefined)
    return err(createBroken(`event ${seq} is not in the history of the file`))
  const history = new TextHistory(first.before)
  const names = new Map<string, number | null>()
  for (const one of past) {
    followUnrecorded(history, one.before, one.event.seq, names)
    if (!followEvent(history, one, past, names) || history.getText() !== one.after)
      return err(createBroken(`event ${one.event.seq} does not give what was recorded of it`))
  }
  followUnrecorded(history, now, Number.POSITIVE_INFINITY, names)
  return undoSteps(history, undone, names)
}

/** A text that is not what the last event left was changed by somebody else: from its first difference to its last. */
function followUnrecorded(
  history: TextHistory,
  text: string,
  seq: number,
  names: Map<string, number | null>,
): void {
  const splice = findDifference(history.getText(), text)
  if (splice === null) return
  names.set(`before ${seq}`, null)
  history.apply(`before ${seq}`, [splice])
}

function followEvent(
  history: TextHistory,
  { event, steps }: KnownPast,
  past: readonly KnownPast[],
  names: Map<string, number | null>,
): boolean {
  const undone = past.find((one) => one.event.seq === event.undoes)
  if (undone !== undefined)
    return undone.steps
      .map((_, index) => formatStep(undone.event.seq, index))
      .toReversed()
      .every((name) => history.undo(name) !== null)
  return steps.every(({ splices }, index) => {
    names.set(formatStep(event.seq, index), event.seq)
    return history.apply(formatStep(event.seq, index), splices)
  })
}

function undoSteps(
  history: TextHistory,
  { event, steps }: KnownPast,
  names: ReadonlyMap<string, number | null>,
): Result<UndonePlan, UndoProblem> {
  const done: EventStep[] = []
  for (const index of [...steps.keys()].toReversed()) {
    const name = formatStep(event.seq, index)
    const standing = history.listStandingOn(name).map((other) => names.get(other) ?? null)
    const text = history.getText()
    const splices = history.undo(name)
    if (splices === null) return err(createBlocked(event.seq, standing))
    done.push({ splices, inverse: invertSplices(text, splices) })
  }
  return ok({ text: history.getText(), steps: done })
}

function createBlocked(seq: number, standing: readonly (number | null)[]): UndoProblem {
  const events = [...new Set(standing.filter((one) => one !== null))].sort((a, b) => a - b)
  const unrecorded = standing.includes(null)
  const who = [
    ...events.map((event) => `event ${event}`),
    ...(unrecorded ? ['an edit that is not in the history'] : []),
  ]
  const detail = `event ${seq} cannot be undone: ${who.join(', ')} changed what it put in`
  return { code: 'UNDO_BLOCKED', detail, events, unrecorded }
}

function createBroken(detail: string): UndoProblem {
  return { code: 'HISTORY_BROKEN', detail, events: [], unrecorded: false }
}

function formatStep(seq: number, index: number): string {
  return `event ${seq}.${index}`
}

/** One splice that makes one text of the other; null: they are one. */
export function findDifference(before: string, after: string): Splice | null {
  if (before === after) return null
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start += 1
  let behind = 0
  while (
    behind < most - start &&
    before[before.length - 1 - behind] === after[after.length - 1 - behind]
  )
    behind += 1
  return { start, end: before.length - behind, text: after.slice(start, after.length - behind) }
}
