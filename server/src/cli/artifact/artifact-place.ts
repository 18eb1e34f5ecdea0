/** Where the files of a call are, and what is read of them; whatever is wrong becomes a failure with its place and its fix. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import {
  ARTIFACT_LIMITS,
  type DeltaProblem,
  type Format,
  findFormat,
  type ParsedText,
  type TargetProblem,
} from 'rubicon-artifacts'
import {
  type FileArtifact,
  type FileProblem,
  type FilesRoot,
  openFilesRoot,
  RECORD_FOLDER,
  readArtifact,
  toArtifact,
} from 'rubicon-artifacts/files'
import {
  ArtifactHistory,
  createFileBlobs,
  type HistoryProblem,
  openFileLog,
} from 'rubicon-artifacts/store'
import type { Failure, Result } from 'rubicon-kernel'
import type { CommandCall } from '../call.ts'
import { CliFailure } from '../failure.ts'

export type ArtifactPlace = { readonly given: string; readonly root: FilesRoot }

export type ReadText = {
  readonly artifact: FileArtifact
  readonly format: Format
  readonly parsed: ParsedText
}

export function openArtifactPlace({ options }: Pick<CommandCall, 'options'>): ArtifactPlace {
  const given = resolve(options.text('root') ?? '.')
  return { given, root: unwrapFile(openFilesRoot(given)) }
}

/** The name below the root; empty: the root itself. */
export function toArtifactId({ given }: ArtifactPlace, file: string): string {
  const id = relative(given, resolve(file)).split(sep).join('/')
  if (id !== '..' && !id.startsWith('../') && !isAbsolute(id)) return id
  throw new CliFailure({
    code: 'FILE_OUTSIDE',
    summary: `\`${file}\` does not lie below \`${given}\``,
    why: 'artifacts are named by their place below the root, and nothing outside of it is written',
    fix: 'run the command in the folder of the project, or name it with `--root`',
  })
}

export function readText(place: ArtifactPlace, id: string): ReadText {
  return parseArtifact(unwrapFile(readArtifact(place.root, id)))
}

export function parseBytes(id: string, bytes: Uint8Array): ReadText {
  return parseArtifact(toArtifact(id, bytes, 0))
}

export function parseArtifact(artifact: FileArtifact): ReadText {
  const { id, text, bytes } = artifact
  const format = findFormat(id)
  if (format === undefined)
    throw new CliFailure({
      code: 'FORMAT_UNKNOWN',
      summary: `\`${id}\` is of no format that has a tree`,
      fix: 'name a file of TypeScript, JavaScript, JSON or YAML',
    })
  if (bytes.length > ARTIFACT_LIMITS.bytes)
    throw new CliFailure({
      code: 'ARTIFACT_TOO_LARGE',
      summary: `\`${id}\` has ${bytes.length} bytes, at most ${ARTIFACT_LIMITS.bytes} are parsed`,
      fix: 'split the file',
    })
  if (text === null)
    throw new CliFailure({
      code: 'ARTIFACT_UNREADABLE',
      summary: `\`${id}\` is not UTF-8`,
      fix: 'save it as UTF-8',
    })
  const parsed = format.parse(text)
  if (parsed.ok) return { artifact, format, parsed: parsed.value }
  const at = parsed.error.at === null ? '' : `:${formatPlace(text, parsed.error.at.start)}`
  throw new CliFailure({
    code: 'ARTIFACT_UNREADABLE',
    summary: `${id}${at}: ${parsed.error.detail}`,
    fix: 'correct the file at that place',
  })
}

/** Line and column, from 1 on. */
export function formatPlace(text: string, at: number): string {
  const line = countLine(text, at)
  return `${line}:${at - text.lastIndexOf('\n', at - 1)}`
}

export function countLine(text: string, at: number): number {
  let line = 1
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line += 1
  return line
}

/** What was recorded so far. Read anew by whoever has the lock. */
export function openHistory({ root }: ArtifactPlace): ArtifactHistory {
  const record = join(root.folder, ...RECORD_FOLDER)
  const log = openFileLog(join(record, 'events.ndjson'))
  if (!log.ok)
    throw new CliFailure({
      code: 'HISTORY_BROKEN',
      summary: log.error.detail,
      why: 'nothing is undone or recorded on a history with a hole',
      fix: 'restore the file from a backup, or move it away to begin a new history',
    })
  return new ArtifactHistory(createFileBlobs(join(record, 'objects')), log.value)
}

export function unwrapFile<T>(result: Result<T, FileProblem>): T {
  if (result.ok) return result.value
  const { code, detail, fix } = result.error
  throw new CliFailure({ code, summary: detail, fix })
}

export function unwrapHistory<T>(result: Result<T, HistoryProblem>): T {
  if (result.ok) return result.value
  const { code, detail } = result.error
  const fix =
    code === 'ARTIFACT_EVENT_UNKNOWN'
      ? 'name an event that `rubicon artifact undo --list` shows'
      : 'restore the file of that hash below `.rubicon/artifacts/objects` from a backup'
  throw new CliFailure({ code, summary: detail, fix })
}

/** With its place in the text that it is about, and what could have been meant. */
export function createDeltaFailure(
  { artifact: { id, text } }: ReadText,
  problem: DeltaProblem | TargetProblem,
  index: number | null = null,
): CliFailure {
  const { code, detail, candidates = [] } = problem
  const span = 'at' in problem ? (problem.at ?? null) : null
  const place = span === null || text === null ? '' : `:${formatPlace(text, span.start)}`
  const which = index === null ? '' : `delta ${index + 1}: `
  const failure: Failure = {
    code,
    summary: `${id}${place}: ${which}${detail}`,
    fix: candidates.length === 0 ? FIXES[code] : `did you mean ${formatCandidates(candidates)}?`,
    meta: { file: id, ...(index === null ? {} : { delta: index }), candidates },
  }
  return new CliFailure(failure)
}

const FIXES: Readonly<Record<DeltaProblem['code'], string>> = {
  PATH_INVALID: 'write it as `class:Name/method:name`; `rubicon artifact symbols` lists all paths',
  TARGET_MISSING: '`rubicon artifact symbols` lists all paths of the file',
  TARGET_AMBIGUOUS: 'add the number of the one that is meant, as `#2`',
  TARGET_UNFIT: 'choose another target, or another kind of delta',
  FRAGMENT_INVALID: 'correct the fragment: it has to be complete in its place',
  FRAGMENT_REACHES_OUT: 'balance the brackets and quotes within the fragment',
  NAME_TAKEN: 'choose another name, or replace what has it',
  DANGLING_REFERENCE: 'change or remove what still refers to it, in the same list of deltas',
  TARGET_READ_ONLY: 'change what is installed with the tool that installs it',
  SCHEMA_VIOLATION: 'write a value that the schema allows',
  SECRET_IN_FRAGMENT: 'write the name of the secret in place of it',
  DELTA_STALE: 'read the file again, and plan on what it holds now',
  CLAIMS_CONFLICT: 'change what the other one does not, or follow it',
  UNDO_BLOCKED: 'undo the later ones first, the last one first',
}

const SHOWN = 5

function formatCandidates(candidates: readonly string[]): string {
  const shown = candidates.slice(0, SHOWN).map((path) => `\`${path}\``)
  return `${shown.join(', ')}${candidates.length > SHOWN ? ', …' : ''}`
}
