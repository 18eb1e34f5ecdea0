/** What a plan comes to on what there is now, in all of its artifacts, or why it does not. */
import { err, ok, type Result, STRATEGIES } from 'rubicon-kernel'
import type { ChangeSet, Project } from '../project/project.ts'
import { findSemanticConflicts, type SemanticConflict } from '../project/semantic-conflicts.ts'
import { findDanglingIn } from './check-project.ts'
import { composePart } from './compose-part.ts'
import type { DeskAnswers, DeskProblem, PlannedChange } from './desk-answer.ts'
import { findTwice, openProject } from './desk-project.ts'
import type { ComposeRequest } from './desk-request.ts'
import { joinSteps } from './join-steps.ts'
import { formatName } from './name-symbols.ts'
import { checkForeignReads } from './resolve-reads.ts'
import { TextPlaces } from './text-places.ts'

export function composeParts(request: ComposeRequest): Result<DeskAnswers['compose'], DeskProblem> {
  const { key, parts } = request
  const texts = [...parts.map(({ now }) => now), ...request.project]
  const twice = findTwice(texts)
  if (twice !== null) return err(twice)
  const project = openProject(texts)
  const strategy = request.strategy ?? STRATEGIES.SingleWriter
  const changes: PlannedChange[] = []
  for (const part of parts) {
    const composed = composePart(part, { key, strategy, project })
    if (!composed.ok) return composed
    const stale = checkForeignReads(part.claims.reads, part.now.artifact, project)
    if (stale !== null) return err(stale)
    changes.push(composed.value)
  }
  const after = project.change(new Map(changes.map((change) => [change.artifact, change.after])))
  const problem = findDanglingIn(project, after) ?? findSemanticConflict(request, project)
  return problem === null ? ok({ changes }) : err(problem)
}

/** Of what happened since it was planned, and the plan: each by itself is right, and both together are not. */
function findSemanticConflict(
  { parts, project: others }: ComposeRequest,
  project: Project,
): DeskProblem | null {
  const base = new Map<string, string>()
  for (const part of parts) base.set(part.base.artifact, part.base.text)
  for (const { artifact, was } of others) if (was !== undefined) base.set(artifact, was)
  const ours: ChangeSet = new Map(
    [...base].flatMap(([artifact, text]): readonly [string, string][] => {
      const now = project.artifacts.get(artifact)?.text ?? ''
      return now === text ? [] : [[artifact, now]]
    }),
  )
  if (ours.size === 0) return null
  const theirs: ChangeSet = new Map(
    parts.flatMap(({ base: { artifact, text }, steps }) => {
      const planned = joinSteps(text, steps)
      return planned === null ? [] : [[artifact, planned.text] as const]
    }),
  )
  const [first] = findSemanticConflicts(project.change(base), ours, theirs)
  return first === undefined ? null : describeConflict(first, ours, theirs, project)
}

const DONE: Readonly<Record<SemanticConflict['kind'], string>> = {
  RENAME_AND_REFERENCE: 'has another name',
  SIGNATURE_AND_REFERENCE: 'is defined anew',
  REMOVAL_AND_REFERENCE: 'is gone',
  ENUM_AND_REFERENCE: 'has other members',
}

function describeConflict(
  { kind, definer, changed, now, referrer }: SemanticConflict,
  ours: ChangeSet,
  theirs: ChangeSet,
  project: Project,
): DeskProblem {
  const { artifact, path, at } = referrer
  const text =
    (definer === 'ours' ? theirs : ours).get(artifact) ??
    project.artifacts.get(artifact)?.text ??
    ''
  const name = formatName(changed.artifact, changed.path === '' ? [] : [changed.path])
  const user = formatName(artifact, path === '' ? [] : [path])
  const who = definer === 'ours' ? 'since it was planned' : 'behind it'
  return {
    code: 'CLAIMS_CONFLICT',
    artifact,
    detail: `\`${name}\` ${DONE[kind]} ${who}, and \`${user}\` begins to name it`,
    at: new TextPlaces(text).find(at.start),
    ...(now === null ? {} : { candidates: [formatName(changed.artifact, [now])] }),
  }
}
