/**
 * Plans deltas on several artifacts as one change.
 *
 * L1 changes follow one another; all of them are planned, or none.
 * L2 a rename reaches every artifact that knows the symbol by its name (0115).
 * L3 behind all of them nothing in the project is without a meaning that had one.
 */
import { err, ok, type Result } from 'rubicon-kernel'
import type { ClaimedStep } from '../claims/claimed-step.ts'
import type { Delta } from '../delta/delta.ts'
import { findDangling } from '../delta/find-dangling.ts'
import type { Plan } from '../delta/plan.ts'
import { planStep } from '../delta/plan-delta.ts'
import { planDeltas } from '../delta/plan-deltas.ts'
import { planProjectRename } from '../project/plan-project-rename.ts'
import type { Project } from '../project/project.ts'
import { invertSplices } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { findDanglingIn } from './check-project.ts'
import { describeProblem } from './describe-problem.ts'
import type { DeskAnswers, DeskProblem } from './desk-answer.ts'
import { findTwice, type OpenText, openProject, openText } from './desk-project.ts'
import type { PlanRequest } from './desk-request.ts'
import { finishChange } from './finish-change.ts'
import { joinSteps } from './join-steps.ts'
import { PlanWork } from './plan-work.ts'
import { readDeltas } from './read-deltas.ts'

export function planChanges(request: PlanRequest): Result<DeskAnswers['plan'], DeskProblem> {
  const { changes, project } = request
  const texts = [...changes.map(({ text }) => text), ...project]
  const twice = findTwice(texts)
  if (twice !== null) return err(twice)
  const base = openProject(texts)
  const planned = planAll(request, base, 'alone')
  // A rename of one artifact leaves the name that others know in a list of exports; they have the new one.
  if (planned.ok || planned.error.code !== 'DANGLING_REFERENCE') return planned
  const followed = planAll(request, base, 'followed')
  return followed.ok ? followed : planned
}

/** Whether a rename changes its own artifact as its delta does by itself, or as the rename of the project does. */
type OwnRename = 'alone' | 'followed'

function planAll(
  { key, changes }: PlanRequest,
  base: Project,
  own: OwnRename,
): Result<DeskAnswers['plan'], DeskProblem> {
  const work = new PlanWork(base)
  for (const change of changes) {
    const problem = planChange(work, change, own)
    if (problem !== null) return err(problem)
  }
  const dangling = findDanglingIn(base, work.project)
  if (dangling !== null) return err(dangling)
  const drafts = work.listDrafts(changes.map(({ text }) => text.artifact))
  return ok({ changes: drafts.map((draft) => finishChange(draft, key, base)) })
}

function planChange(
  work: PlanWork,
  { text, deltas }: PlanRequest['changes'][number],
  own: OwnRename,
): DeskProblem | null {
  const opened = openText(text)
  if (!opened.ok) return opened.error
  const { artifact, format, parsed, judge } = opened.value
  const read = readDeltas(deltas, artifact)
  if (!read.ok) return read.error
  const before = work.findText(artifact) ?? parsed
  const planned = planDeltas(before, read.value, format, judge === undefined ? {} : { judge })
  if (!planned.ok) return describeProblem(planned.error, artifact, before.text)
  if (own === 'followed' && read.value.some(({ op }) => op === 'rename'))
    return followDeltas(work, opened.value, before, read.value)
  for (const [index, step] of planned.value.steps.entries()) {
    const plans = renameInProject(work, artifact, step.before, step.delta)
    if (!plans.ok) return { ...plans.error, index }
    const problem = addElsewhere(work, artifact, plans.value)
    if (problem !== null) return { ...problem, index }
    work.add(artifact, format, step, deltas)
  }
  return null
}

/** Delta by delta: behind a rename over the project the next one is planned on what that left. */
function followDeltas(
  work: PlanWork,
  { artifact, format }: OpenText,
  first: ParsedText,
  deltas: readonly Delta[],
): DeskProblem | null {
  const steps: ClaimedStep[] = []
  for (const [index, delta] of deltas.entries()) {
    const before = steps.at(-1)?.after ?? first
    const plans = renameInProject(work, artifact, before, delta)
    if (!plans.ok) return { ...plans.error, index }
    const problem = addElsewhere(work, artifact, plans.value)
    if (problem !== null) return { ...problem, index }
    const own = plans.value.get(artifact)
    const planned = own === undefined ? planStep(before, delta, format) : ok(own)
    if (!planned.ok) return { ...describeProblem(planned.error, artifact, before.text), index }
    const step = { ...planned.value, before, delta }
    steps.push(step)
    work.add(artifact, format, step, null)
  }
  const joined = joinSteps(first.text, steps)
  const after = steps.at(-1)?.after
  if (joined === null || after === undefined) return null
  const { splices } = joined
  const plan = { splices, after, inverse: invertSplices(first.text, splices) }
  const dangling = findDangling(first, plan, format)
  return dangling === null ? null : describeProblem(dangling, artifact, first.text)
}

/** L2: the plans by artifact; none where the delta is no rename that others could know of. */
function renameInProject(
  { project }: PlanWork,
  artifact: string,
  before: ParsedText,
  delta: Delta,
): Result<ReadonlyMap<string, Plan>, DeskProblem> {
  const links = project.artifacts.get(artifact)?.links ?? null
  if (delta.op !== 'rename' || links === null) return ok(new Map())
  const { target: path, name } = delta
  if (!before.symbols.some((symbol) => symbol.path === path)) return ok(new Map())
  const planned = planProjectRename(project, { artifact, path }, name)
  if (planned.ok) return ok(planned.value.plans)
  const holder = planned.error.artifact
  const { text } = project.artifacts.get(holder) ?? { text: '' }
  return err(describeProblem(planned.error, holder, text))
}

function addElsewhere(
  work: PlanWork,
  artifact: string,
  plans: ReadonlyMap<string, Plan>,
): DeskProblem | null {
  for (const [other, plan] of plans) {
    const { parsed, format } = work.project.artifacts.get(other) ?? { parsed: null, format: null }
    if (other === artifact || parsed === null || format === null) continue
    if (format.isReadOnly === true)
      return {
        code: 'TARGET_READ_ONLY',
        artifact: other,
        detail: `what is renamed in \`${artifact}\` is named in it, and nobody writes it`,
      }
    work.add(other, format, { ...plan, before: parsed, delta: null }, null)
  }
  return null
}
