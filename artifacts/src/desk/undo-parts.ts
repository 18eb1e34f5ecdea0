/** What undoing changes comes to now: their recorded inverses, moved to where their texts are (`planUndo`). */
import { err, ok, type Result } from 'rubicon-kernel'
import { planUndo } from '../store/plan-undo.ts'
import { findDanglingIn } from './check-project.ts'
import type { DeskAnswers, DeskProblem, PlannedChange } from './desk-answer.ts'
import { findTwice, openProject, openText } from './desk-project.ts'
import type { UndoPart, UndoRequest } from './desk-request.ts'
import { type DraftChange, finishChange } from './finish-change.ts'
import { finishText } from './finish-text.ts'
import { joinSteps } from './join-steps.ts'

export function undoParts({
  key,
  parts,
  project,
}: UndoRequest): Result<DeskAnswers['undo'], DeskProblem> {
  const texts = [...parts.map(({ now }) => now), ...project]
  const twice = findTwice(texts)
  if (twice !== null) return err(twice)
  const before = openProject(texts)
  const changes: PlannedChange[] = []
  for (const part of parts) {
    const draft = undoPart(part)
    if (!draft.ok) return draft
    changes.push(finishChange(draft.value, key, before))
  }
  const after = before.change(new Map(changes.map((change) => [change.artifact, change.after])))
  const dangling = findDanglingIn(before, after)
  return dangling === null ? ok({ changes }) : err(dangling)
}

function undoPart({ now, past, seq }: UndoPart): Result<DraftChange, DeskProblem> {
  const opened = openText(now)
  if (!opened.ok) return opened
  const { artifact, format, parsed } = opened.value
  const undone = planUndo(
    past.map(({ before, after, steps, ...event }) => ({ event, before, after, steps })),
    seq,
    now.text,
  )
  if (!undone.ok) {
    const { code, detail, events } = undone.error
    return err({ code, artifact, detail, candidates: events.map(String) })
  }
  const joined = joinSteps(now.text, undone.value.steps)
  if (joined === null || joined.text !== undone.value.text)
    return err({ code: 'HISTORY_BROKEN', artifact, detail: 'its inverse does not fit the text' })
  const finished = finishText(opened.value, joined.splices)
  if (!finished.ok) return finished
  const steps = [{ ...finished.value, before: parsed, delta: null }]
  return ok({ artifact, format, before: parsed, steps, deltas: null })
}
