/** Problems of plans as the desk tells them: with the artifact, and places as editors name them. */
import type { CompositionProblem, JsonValue } from 'rubicon-kernel'
import type { BatchProblem } from '../compose/batch.ts'
import type { DeltaProblem } from '../delta/plan.ts'
import type { DeskProblem } from './desk-answer.ts'
import { TextPlaces } from './text-places.ts'

/** `text`: the one that the place of the problem is of. */
export function describeProblem(
  problem: DeltaProblem | BatchProblem,
  artifact: string,
  text: string,
): DeskProblem {
  const { code, detail, at, candidates, index } = problem
  const fixes = 'problems' in problem ? listFixes(problem.problems ?? []) : []
  return {
    code,
    artifact,
    detail,
    ...(at === undefined ? {} : { at: at === null ? null : new TextPlaces(text).find(at.start) }),
    ...(candidates === undefined ? {} : { candidates }),
    ...(fixes.length === 0 ? {} : { fixes }),
    ...(index === undefined ? {} : { index }),
  }
}

export function describeConflicts(
  problems: readonly CompositionProblem[],
  artifact: string,
): DeskProblem {
  const [first] = problems
  const between = first?.between.map((key) => `\`${key}\``).join(' and ') ?? ''
  const path = first?.path.join('/') ?? ''
  return {
    code: 'CLAIMS_CONFLICT',
    artifact,
    detail: `${first?.kind ?? 'a conflict'} of ${between} at \`${path}\``,
    fixes: listFixes(problems),
  }
}

function listFixes(problems: readonly CompositionProblem[]): readonly JsonValue[] {
  return problems.flatMap(({ fixes }) => fixes.map((fix): JsonValue => ({ ...fix })))
}
