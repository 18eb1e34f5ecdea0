/**
 * What a plan comes to in one artifact, on what there is now.
 *
 * A1 nothing since: the plan as it was made.
 * A2 all since were planned on the same base: the same bytes whichever of them was applied first.
 * A3 else the claims of the plan are held against those of each that came since, what it relies on against the text as it is now, and it
 *    is put onto that text; its paths mean what they meant in its base.
 */
import { checkComposition, err, ok, type Result, type StrategyTree } from 'rubicon-kernel'
import { checkReads } from '../claims/check-reads.ts'
import type { ClaimedStep } from '../claims/claimed-step.ts'
import { planOnto } from '../compose/plan-onto.ts'
import { listWrittenTexts } from '../delta/find-secret.ts'
import type { Plan } from '../delta/plan.ts'
import { planDeltas } from '../delta/plan-deltas.ts'
import type { Project } from '../project/project.ts'
import type { EventStep } from '../store/artifact-event.ts'
import { TextHistory } from '../text/history.ts'
import { applySplices, invertSplices, type Splice } from '../text/splice.ts'
import { describeConflicts, describeProblem } from './describe-problem.ts'
import type { DeskProblem, PlannedChange } from './desk-answer.ts'
import { computeSha256, type OpenText, openText } from './desk-project.ts'
import type { ComposePart } from './desk-request.ts'
import { finishChange, hashText } from './finish-change.ts'
import { finishText } from './finish-text.ts'
import { joinSteps, listTextSplices } from './join-steps.ts'
import { isImportName, isWithinNames, nameChange, nameSymbols } from './name-symbols.ts'
import { putTogether, type Together } from './put-together.ts'
import { readDeltas } from './read-deltas.ts'
import { rebaseSplices } from './rebase-splices.ts'

export type ComposeRules = {
  readonly key: string
  readonly strategy: StrategyTree
  /** As it is now. */
  readonly project: Project
}

type Opened = { readonly base: OpenText; readonly now: OpenText; readonly part: ComposePart }

type PartResult = Result<PlannedChange, DeskProblem>

export function composePart(part: ComposePart, rules: ComposeRules): PartResult {
  const base = openText(part.base)
  if (!base.ok) return base
  const now = openText(part.now)
  if (!now.ok) return now
  const opened = { base: base.value, now: now.value, part }
  const history = followSince(part)
  if (base.value.artifact !== now.value.artifact || history === null)
    return err({
      code: 'DELTA_STALE',
      artifact: now.value.artifact,
      detail: 'what happened since it was planned does not lead to what there is now',
    })
  if (part.since.length === 0) return keepPlan(opened)
  const hash = hashText(part.base.text)
  const together = part.since.every((one) => one.base === hash)
    ? composeTogether(opened, rules)
    : null
  return together ?? composeBehind(opened, rules, history)
}

/** Null: it does not lead from the base to now. */
function followSince({ base, now, since }: ComposePart): TextHistory | null {
  const history = new TextHistory(base.text)
  for (const [index, { steps }] of since.entries())
    for (const [step, { splices }] of steps.entries())
      if (!history.apply(`${index}.${step}`, splices)) return null
  return history.getText() === now.text ? history : null
}

/** A1. */
function keepPlan(opened: Opened): PartResult {
  const { part } = opened
  const joined = joinSteps(part.base.text, part.steps)
  if (joined === null) return err(createBroken(opened))
  const finished = finishText(opened.now, joined.splices)
  return finished.ok ? ok(toChange(opened, finished.value, part.steps)) : finished
}

/** A2. Null: what there is now did not come of these alone. */
function composeTogether(opened: Opened, { key, strategy }: ComposeRules): PartResult | null {
  const { base, now, part } = opened
  const joined = joinSteps(part.base.text, part.steps)
  if (joined === null) return err(createBroken(opened))
  const { since, deltas, claims } = part
  const problems = checkComposition(strategy, [claims, ...since.map((one) => one.claims)])
  if (problems.length > 0) return err(describeConflicts(problems, base.artifact))
  const before = putTogether(base, since, strategy)
  if (!before.ok || before.value.text !== now.parsed.text) return null
  const own = { key, deltas, claims, splices: joined.splices }
  const composed = putTogether(base, [...since, own], strategy)
  if (!composed.ok) return composed
  const splices = listOwnSplices(now.parsed.text, composed.value, key)
  const finished = finishText(opened.now, splices)
  if (!finished.ok) return finished
  const { inverse } = finished.value
  return ok(toChange(opened, finished.value, [{ splices, inverse }]))
}

/** As few as possible: what takes the plan out of the whole, the other way round. */
function listOwnSplices(now: string, { text, takeOut }: Together, key: string): readonly Splice[] {
  const out = takeOut(key)
  return out !== null && applySplices(text, out) === now
    ? invertSplices(text, out)
    : listTextSplices(now, text)
}

/** A3. */
function composeBehind(opened: Opened, rules: ComposeRules, since: TextHistory): PartResult {
  const { now, part } = opened
  const { artifact, format } = now
  for (const one of part.since) {
    const problems = checkComposition(rules.strategy, [part.claims, one.claims])
    if (problems.length > 0) return err(describeConflicts(problems, artifact))
  }
  const rule = { type: format.type, sha256: computeSha256 }
  const stale = checkReads(now.parsed, part.claims.reads, rule)
  if (stale !== null) return err(describeProblem(stale, artifact, now.parsed.text))
  const splices = moveOnto(opened, rules.key, since)
  if (!splices.ok) return splices
  const finished = finishText(opened.now, splices.value)
  if (!finished.ok) return finished
  const { deltas, steps } = planAgain(opened, finished.value)
  const draft = { artifact, format, before: now.parsed, steps, deltas }
  const change = finishChange(draft, rules.key, rules.project)
  const named = nameSymbols(part.claims)
  // It may be said in more detail what was written, and not that something else was.
  const imports = change.symbols.filter(isImportName)
  const others = change.symbols.filter((name) => !isImportName(name))
  const symbols = isWithinNames(others, named) ? [...named, ...imports] : change.symbols
  return ok({ ...change, symbols })
}

function moveOnto(
  opened: Opened,
  key: string,
  since: TextHistory,
): Result<readonly Splice[], DeskProblem> {
  const { base, now, part } = opened
  const { artifact, format } = base
  if (part.deltas === null) {
    const joined = joinSteps(part.base.text, part.steps)
    if (joined === null) return err(createBroken(opened))
    const moved = rebaseSplices(joined.splices, since.listSplices())
    if (moved !== null) return ok(moved)
    const detail = 'it writes where another change has written: plan it on what there is now'
    return err({ code: 'CLAIMS_CONFLICT', artifact, detail })
  }
  const deltas = readDeltas(part.deltas, artifact)
  if (!deltas.ok) return deltas
  const plan = planDeltas(base.parsed, deltas.value, format)
  if (!plan.ok) return err(describeProblem(plan.error, artifact, base.parsed.text))
  const entry = { entry: { key, deltas: deltas.value }, plan: plan.value, claims: part.claims }
  const moved = planOnto(base.parsed, now.parsed, since, entry, format)
  return moved.ok
    ? ok(moved.value.splices)
    : err(describeProblem(moved.error, artifact, now.parsed.text))
}

/** Where the deltas, read by what there is now, come to the same, they are deltas of it. */
function planAgain(
  { now, part }: Opened,
  plan: Plan,
): { readonly deltas: ComposePart['deltas']; readonly steps: readonly ClaimedStep[] } {
  const deltas = part.deltas === null ? null : readDeltas(part.deltas, now.artifact)
  const again = deltas?.ok ? planDeltas(now.parsed, deltas.value, now.format) : null
  return again?.ok && again.value.after.text === plan.after.text
    ? { deltas: part.deltas, steps: again.value.steps }
    : { deltas: null, steps: [{ ...plan, before: now.parsed, delta: null }] }
}

/** With the claims of the plan, which are of its base. */
function toChange({ now, part }: Opened, plan: Plan, steps: readonly EventStep[]): PlannedChange {
  const { base, deltas, claims } = part
  return {
    artifact: now.artifact,
    base: hashText(base.text),
    before: now.parsed.text,
    after: plan.after.text,
    steps,
    splices: joinSteps(base.text, part.steps)?.splices ?? [],
    deltas,
    claims,
    symbols: nameChange(claims, now.parsed, plan.after),
    written: [...new Set(listWrittenTexts({ ...plan, delta: null }))],
  }
}

function createBroken({ now }: Opened): DeskProblem {
  return {
    code: 'DELTA_STALE',
    artifact: now.artifact,
    detail: 'its steps are not those of the text that it was planned on',
  }
}
