/** Why the hands did nothing, as whoever proposed it is told: a code, words, and what helps where it is known. */
import type { DeskProblem } from 'rubicon-artifacts/desk'
import type { FileProblem } from 'rubicon-artifacts/files'
import type { BlobProblem } from 'rubicon-artifacts/store'
import type { CompositionProblem, JsonObject, JsonValue } from 'rubicon-kernel'
import { NotApplied } from '../ports/capability.ts'

/** Codes of the hands; those of the desk and of files come as they are. */
export type HandsCode =
  | 'ARTIFACT_UNKNOWN'
  | 'CHANGE_UNKNOWN'
  | 'DELTA_STALE'
  | 'PLAN_CONFLICT'
  | 'PLAN_EXPIRED'
  | 'PLAN_SYMBOLS'
  | 'PLAN_UNKNOWN'
  | 'PLAN_TOO_LARGE'
  | 'SECRET_IN_FRAGMENT'
  | 'MERGE_CONFLICT'

export type HandsProblem = {
  readonly artifact?: string
  readonly candidates?: readonly string[]
  readonly fixes?: readonly JsonValue[]
}

export function createRefusal(
  code: HandsCode,
  detail: string,
  { artifact, candidates, fixes }: HandsProblem = {},
): NotApplied {
  const details: JsonObject = {
    code,
    detail,
    ...(artifact === undefined ? {} : { artifact }),
    ...(candidates === undefined ? {} : { candidates: [...candidates] }),
    ...(fixes === undefined ? {} : { fixes: [...fixes] }),
  }
  return new NotApplied(`${code}: ${detail}`, { details })
}

/** What passes by itself. */
const PASSING: readonly string[] = ['DESK_BUSY', 'DESK_TIMEOUT', 'FILES_LOCKED', 'DISK_FULL']

export function toDeskRefusal(problem: DeskProblem): NotApplied {
  const { code, detail } = problem
  const details: JsonObject = JSON.parse(JSON.stringify(problem))
  return new NotApplied(`${code}: ${detail}`, { details, transient: PASSING.includes(code) })
}

/** A runtime plans on what it knows, which stays as it is however often the file is read. */
const ADOPT = 'have the file adopted again (`artifact.adopt`), then plan the change anew'

/** Which process of which machine has the lock is for whoever runs it. */
const LOCKED: Pick<FileProblem, 'detail' | 'fix'> = {
  detail: 'somebody else is writing these files',
  fix: 'try again later',
}

/** `file` is the name of the artifact: nothing of the machine is said. */
export function toFileRefusal({ code, file, ...problem }: FileProblem): NotApplied {
  const { detail, fix } = code === 'FILES_LOCKED' ? LOCKED : problem
  const details: JsonObject = {
    ...{ code, detail, fix: code === 'FILE_CHANGED' ? ADOPT : fix },
    ...(file === null ? {} : { artifact: file }),
  }
  return new NotApplied(`${code}: ${detail}`, { details, transient: PASSING.includes(code) })
}

/** What a change consists of is kept before anything is written, so nothing happened. The error itself has the path of the store. */
export function toKeepingRefusal(error: unknown): NotApplied {
  const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const code = why === 'ENOSPC' || why === 'EDQUOT' ? 'DISK_FULL' : 'FILE_UNWRITABLE'
  const detail = `what it consists of could not be kept: ${why}`
  const fix = 'tell a person: the store of blobs cannot be written'
  const details: JsonObject = { code, detail, fix }
  return new NotApplied(`${code}: ${detail}`, { details, transient: PASSING.includes(code) })
}

export function toBlobRefusal({ code, hash }: BlobProblem): NotApplied {
  const detail = `\`${hash}\` is not to be had from the store of blobs`
  return new NotApplied(`${code}: ${detail}`, { details: { code, detail } })
}

/** `owners`: whose plan stands behind each key. */
export function toConflictRefusal(
  problems: readonly CompositionProblem[],
  own: string,
  owners: ReadonlyMap<string, string>,
): NotApplied {
  const [first] = problems
  const other = first?.between.find((key) => key !== own)
  const whose = other === undefined ? null : (owners.get(other) ?? null)
  const where = first === undefined ? '' : `${first.artifact} ${first.path.join('/')}`.trimEnd()
  const by = whose === null ? 'another plan' : `the plan ${whose}`
  const detail = `${first?.kind ?? 'a conflict'} at \`${where}\`: ${by} claims it until it is applied, withdrawn or over`
  const fixes = problems.flatMap((problem) => problem.fixes).slice(0, 16)
  return createRefusal('PLAN_CONFLICT', detail, {
    ...(first === undefined ? {} : { artifact: first.artifact }),
    candidates: whose === null ? [] : [whose],
    fixes: JSON.parse(JSON.stringify(fixes)),
  })
}
