/** Reads YAML documents from files. Every problem is told with its file, line and column. */
import { open } from 'node:fs/promises'
import {
  err,
  type Failure,
  type JsonValue,
  LIMITS,
  ok,
  type Result,
  utf8Text,
} from 'rubicon-kernel'
import { type Path, parseYaml, type YamlProblem } from './yaml-document.ts'

/** A kind of document: what it is called, what a refusal of it is called, and how it is read. */
export type DocumentKind<T> = {
  readonly word: string
  readonly code: string
  readonly parse: (
    document: JsonValue,
  ) => Result<T, readonly { readonly path: Path; readonly detail: string }[]>
}

export type FileProblem = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly path: string
  readonly detail: string
}

const SHOWN_PROBLEMS = 5

export async function readDocument<T>(
  kind: DocumentKind<T>,
  path: string,
): Promise<Result<T, Failure>> {
  const bytes = await readUpTo(kind, path, LIMITS.json.bytes + 1)
  if (!bytes.ok) return bytes
  if (bytes.value.length > LIMITS.json.bytes) return err(tooLarge(kind, path))
  const text = utf8Text(bytes.value)
  return text === undefined
    ? err(refused(kind, path, [{ line: 1, column: 1, path: [], detail: 'the file is not UTF-8' }]))
    : parseDocumentText(kind, text, path)
}

export function parseDocumentText<T>(
  kind: DocumentKind<T>,
  text: string,
  fileName: string,
): Result<T, Failure> {
  if (text.length > LIMITS.json.bytes) return err(tooLarge(kind, fileName))
  const document = parseYaml(text)
  if (!document.ok) return err(refused(kind, fileName, document.error))
  const { value, locate } = document.value
  const parsed = kind.parse(value)
  if (parsed.ok) return parsed
  const located = parsed.error.map((problem) => ({ ...problem, ...locate(problem.path) }))
  return err(refused(kind, fileName, located))
}

/** Not the whole file first and its size afterwards: a path may name a device without an end. */
async function readUpTo(
  { word }: { readonly word: string },
  path: string,
  most: number,
): Promise<Result<Uint8Array, Failure>> {
  try {
    const file = await open(path, 'r')
    try {
      const bytes = new Uint8Array(most)
      let length = 0
      while (length < most) {
        const { bytesRead } = await file.read(bytes, length, most - length, null)
        if (bytesRead === 0) break
        length += bytesRead
      }
      return ok(bytes.subarray(0, length))
    } finally {
      await file.close()
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    return err({
      code: 'FILE_UNREADABLE',
      summary: `${word} \`${path}\` cannot be read`,
      why,
      fix: 'check the path',
    })
  }
}

type Named = { readonly word: string; readonly code: string }

function tooLarge(kind: Named, file: string): Failure {
  const detail = `the file is larger than ${LIMITS.json.bytes} bytes`
  return refused(kind, file, [{ line: 1, column: 1, path: [], detail }])
}

function refused({ word, code }: Named, file: string, found: readonly YamlProblem[]): Failure {
  const problems = found.map(({ line, column, path, detail }) => ({
    file,
    line,
    column,
    path: pathText(path),
    detail,
  }))
  const told = problems.slice(0, SHOWN_PROBLEMS).map(problemText)
  const more = problems.length - told.length
  if (more > 0) told.push(`and ${more} more`)
  return {
    code,
    summary: `the ${word} cannot be accepted: ${told.join('; ')}`,
    why: 'a member is missing, unknown or unparsable',
    fix: 'correct the lines named',
    meta: { problems },
  }
}

/** `agent.yaml:3:1: permissions.limits[0].max: must be …`, which editors can follow. */
export function problemText({ file, line, column, path, detail }: FileProblem): string {
  return `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${detail}`
}

function pathText(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
