/**
 * Plans deltas on several artifacts as one change.
 *
 * L1 changes follow one another; all of them are planned, or none.
 * L2 a rename reaches every artifact that knows the symbol by its name (0115).
 * L3 behind all of them nothing in the project is without a meaning that had one.
 */
import { err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import type { ClaimedStep } from '../claims/claimed-step.ts'
import { type PlanStep, planDeltas } from '../delta/plan-deltas.ts'
import type { Format } from '../formats/format.ts'
import { planProjectRename } from '../project/plan-project-rename.ts'
import type { Project } from '../project/project.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { findDanglingIn } from './check-project.ts'
import { describeProblem } from './describe-problem.ts'
import type { DeskAnswers, DeskProblem } from './desk-answer.ts'
import { findTwice, openProject, openText } from './desk-project.ts'
import type { PlanRequest } from './desk-request.ts'
import { type DraftChange, finishChange } from './finish-change.ts'
import { readDeltas } from './read-deltas.ts'

export function planChanges({
  key,
  changes,
  project,
}: PlanRequest): Result<DeskAnswers['plan'], DeskProblem> {
  const texts = [...changes.map(({ text }) => text), ...project]
  const twice = findTwice(texts)
  if (twice !== null) return err(twice)
  const base = openProject(texts)
  const work = new Work(base)
  for (const change of changes) {
    const problem = planChange(work, change)
    if (problem !== null) return err(problem)
  }
  const dangling = findDanglingIn(base, work.project)
  if (dangling !== null) return err(dangling)
  return ok({
    changes: work
      .listDrafts(changes.map(({ text }) => text.artifact))
      .map((draft) => finishChange(draft, key, base)),
  })
}

/** The artifacts as the changes so far leave them. */
class Work {
  project: Project
  readonly #drafts = new Map<string, DraftChange & { readonly steps: ClaimedStep[] }>()

  constructor(project: Project) {
    this.project = project
  }

  /** Null: nothing was done to it. */
  findText(artifact: string): ParsedText | null {
    return this.#drafts.get(artifact)?.steps.at(-1)?.after ?? null
  }

  add(
    artifact: string,
    format: Format,
    step: ClaimedStep,
    deltas: readonly JsonValue[] | null,
  ): void {
    const draft = this.#drafts.get(artifact)
    if (draft === undefined)
      this.#drafts.set(artifact, { artifact, format, before: step.before, steps: [step], deltas })
    // Its deltas are not of the text that it had first.
    else
      this.#drafts.set(artifact, {
        ...draft,
        steps: [...draft.steps, step],
        deltas: draft.deltas === deltas ? deltas : null,
      })
    this.project = this.project.change(new Map([[artifact, step.after.text]]))
  }

  /** Those first that were asked for, then what a rename reached, by name. */
  listDrafts(asked: readonly string[]): readonly DraftChange[] {
    const others = [...this.#drafts.keys()].filter((name) => !asked.includes(name)).sort()
    return [...asked, ...others].flatMap((name) => this.#drafts.get(name) ?? [])
  }
}

function planChange(
  work: Work,
  { text, deltas }: PlanRequest['changes'][number],
): DeskProblem | null {
  const opened = openText(text)
  if (!opened.ok) return opened.error
  const { artifact, format, judge } = opened.value
  const read = readDeltas(deltas, artifact)
  if (!read.ok) return read.error
  const before = work.findText(artifact) ?? opened.value.parsed
  const planned = planDeltas(before, read.value, format, judge === undefined ? {} : { judge })
  if (!planned.ok) return describeProblem(planned.error, artifact, before.text)
  for (const [index, step] of planned.value.steps.entries()) {
    const problem = renameElsewhere(work, artifact, step)
    if (problem !== null) return { ...problem, index }
    work.add(artifact, format, step, deltas)
  }
  return null
}

/** L2. What the rename does to its own artifact is what its delta does. */
function renameElsewhere(
  work: Work,
  artifact: string,
  { delta, before }: PlanStep,
): DeskProblem | null {
  if (delta.op !== 'rename') return null
  const { target: path, name } = delta
  const found = work.project.artifacts.get(artifact)
  const isKnown = found?.links != null && before.symbols.some((symbol) => symbol.path === path)
  if (!isKnown) return null
  const planned = planProjectRename(work.project, { artifact, path }, name)
  if (!planned.ok) {
    const holder = planned.error.artifact
    const text = work.project.artifacts.get(holder)?.text ?? ''
    return describeProblem(planned.error, holder, text)
  }
  for (const [other, plan] of planned.value.plans) {
    const { parsed, format } = work.project.artifacts.get(other) ?? { parsed: null, format: null }
    if (other === artifact || parsed === null || format === null) continue
    if (format.isReadOnly === true)
      return {
        code: 'TARGET_READ_ONLY',
        artifact: other,
        detail: `\`${path}\` of \`${artifact}\` is named in it`,
      }
    work.add(other, format, { ...plan, before: parsed, delta: null }, null)
  }
  return null
}
