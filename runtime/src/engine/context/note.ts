/**
 * Notes: what is said while a flow is open. They are the session layer; what ends with the flow.
 *
 * N1 a note stands in the order of its arrival, and two at once get two places.
 * N2 a note that looks like an order is kept, flagged, and on the record in the same unit.
 */
import { err, type FactLabel, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'
import { sanitiseText } from './clean.ts'
import { resolveLabel } from './label.ts'
import { loadOpen } from './load-open.ts'
import { buildSecurityEvents } from './security-event.ts'

export type Note = { readonly text: string; readonly label?: FactLabel }

export type Noted = {
  /** Its place among the notes of the flow, from 0. */
  readonly place: number
  readonly label: FactLabel
  readonly flags: readonly string[]
}

/** Wide enough for as many notes as a flow may have, so that places sort as texts. */
const PLACE_DIGITS = 8

export async function addNote(
  context: Context,
  dfid: string,
  note: Note,
  by: FactLabel,
): Promise<Result<Noted, Failure>> {
  const { store } = context
  const label = resolveLabel(by, note.label)
  if (!label.ok) return label
  const problem = textProblem(note.text)
  if (problem !== null) return err(problem)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const flow = await loadOpen(context, dfid)
    if (!flow.ok) return flow
    const [last] = await store.listRecords('note', dfid, { newest: true, limit: 1 })
    const place = last === undefined ? 0 : Number(last.key) + 1
    if (place >= LIMITS.notesPerFlow) return err(full)
    const { unit, noted } = await buildNoteUnit(context, flow.value, place, note.text, label.value)
    const outcome = await store.commit(unit)
    if (outcome.ok) return ok(noted)
  }
  return err(buildContentionFailure('the flow'))
}

export type StoredNote = Noted & { readonly at: string; readonly text: string }

export type NoteRange = {
  readonly after?: number
  readonly limit: number
  /** No more of them are read once they have so many characters. */
  readonly length?: number
}

/** In the order of their arrival, from behind a place. Those of a flow that has ended go some time later. */
export async function readNotes(
  { store }: Context,
  dfid: string,
  { after, limit, length = Number.POSITIVE_INFINITY }: NoteRange,
): Promise<Result<readonly StoredNote[], Failure>> {
  if ((await store.readFlow(dfid)) === null) return err(buildFlowUnknownFailure(dfid))
  const notes: StoredNote[] = []
  let [last, read] = [after, 0]
  while (notes.length < limit && read < length) {
    const step = Math.min(LIMITS.entriesPerStep, limit - notes.length)
    const range = { limit: step, ...(last === undefined ? {} : { after: toPlaceKey(last) }) }
    const some = (await store.listRecords('note', dfid, range)).map(toStoredNote)
    notes.push(...some)
    for (const { text } of some) read += text.length
    last = some.at(-1)?.place
    if (some.length < step) break
  }
  return ok(notes)
}

function toStoredNote({ key, body }: StoredRecord<'note'>): StoredNote {
  const { at, label, text, flags } = body
  return { place: Number(key), at, label, text, flags }
}

function toPlaceKey(place: number): string {
  return String(place).padStart(PLACE_DIGITS, '0')
}

async function buildNoteUnit(
  context: Context,
  flow: FlowRow,
  place: number,
  original: string,
  label: FactLabel,
): Promise<{ readonly unit: Unit; readonly noted: Noted }> {
  const { dfid, version, trajectory } = flow
  const { now: at } = await context.store.readNow(trajectory)
  const { value: text, flags } = sanitiseText(original, label)
  const tokens = (await context.tokenizer()).count(text)
  const key = toPlaceKey(place)
  const suspicious = { where: 'note', label, original, flags } as const
  const unit: Unit = {
    guards: [
      { kind: 'flow_version', dfid, version },
      { kind: 'record_version', record: 'note', group: dfid, key, version: null },
    ],
    writes: [
      {
        kind: 'put_record',
        record: 'note',
        group: dfid,
        key,
        body: { at, label, text, tokens, flags },
      },
      // Whoever sweeps finds the notes of ended flows by it.
      ...(place === 0
        ? [
            {
              kind: 'put_record',
              record: 'noted_flow',
              group: 'flows',
              key: dfid,
              body: { since: at },
            } as const,
          ]
        : []),
      ...buildSecurityEvents(context, suspicious, flow),
    ],
  }
  return { unit, noted: { place, label, flags } }
}

function textProblem(text: unknown): Failure | null {
  if (typeof text !== 'string')
    return { code: 'SCHEMA_INVALID', summary: 'a note has no text', fix: 'say something' }
  if (text.length > LIMITS.noteLength)
    return {
      code: 'NOTE_TOO_LONG',
      summary: `the note has ${text.length} characters, and may have ${LIMITS.noteLength}`,
      fix: 'write a shorter note, or put the text among the reference documents',
    }
  if (text.isWellFormed()) return null
  return { code: 'JSON_LONE_SURROGATE', summary: 'the note holds half a character' }
}

const full: Failure = {
  code: 'NOTES_FULL',
  summary: `the flow has ${LIMITS.notesPerFlow} notes, and may have no more`,
  fix: 'close the flow and open another',
}
