/** Reads YAML documents from files. Every problem is told with its file, line and column. */
import { open } from 'node:fs/promises'
import {
  decodeUtf8,
  err,
  type Failure,
  type JsonValue,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import { explainMissingFile } from '../reasons/missing-file.ts'
import {
  type DocumentName,
  type ObjectProblem,
  refuseObject,
  refuseText,
} from './document-refusal.ts'
import { type Path, parseYaml, type YamlDocument, type YamlProblem } from './yaml-document.ts'

/** A kind of document: what it is called, what a refusal of it is called, and how it is read. */
export type DocumentKind<T> = DocumentName & {
  readonly parse: (document: JsonValue) => Result<T, readonly ObjectProblem[]>
}

export async function readDocument<T>(
  kind: DocumentKind<T>,
  path: string,
): Promise<Result<T, Failure>> {
  const text = await readDocumentText(kind, path)
  return text.ok ? parseDocumentText(kind, text.value, path) : text
}

/** The text of a file that is not too large. */
export async function readDocumentText(
  kind: DocumentName,
  path: string,
  most: number = LIMITS.json.bytes,
): Promise<Result<string, Failure>> {
  const bytes = await readUpTo(kind, path, most + 1)
  if (!bytes.ok) return bytes
  if (bytes.value.length > most) return err(refuseTooLarge(kind, path, most))
  const text = decodeUtf8(bytes.value)
  return text === undefined
    ? err(refuseText(kind, path, [{ ...START, detail: 'the file is not UTF-8' }]))
    : ok(text)
}

export function parseDocumentText<T>(
  kind: DocumentKind<T>,
  text: string,
  fileName: string,
): Result<T, Failure> {
  if (text.length > LIMITS.json.bytes) return err(refuseTooLarge(kind, fileName, LIMITS.json.bytes))
  const document = parseYaml(text)
  if (!document.ok) {
    const { problems, rest } = document.error
    return err(
      refuseText(kind, fileName, [...problems, ...findOtherProblems(problems, kind, rest)]),
    )
  }
  const parsed = kind.parse(document.value.value)
  if (parsed.ok) return parsed
  return err(refuseText(kind, fileName, parsed.error.map(createLocator(document.value))))
}

/** What else is wrong, apart from places where YAML was refused: there stand-ins are read. */
function findOtherProblems<T>(
  refused: readonly YamlProblem[],
  kind: DocumentKind<T>,
  rest: YamlDocument | null,
): readonly (YamlProblem & ObjectProblem)[] {
  const parsed = rest === null ? null : kind.parse(rest.value)
  if (rest === null || parsed === null || parsed.ok) return []
  const standIns = new Set(refused.map(({ path }) => JSON.stringify(path)))
  return parsed.error.filter(({ path }) => !isInside(path, standIns)).map(createLocator(rest))
}

function createLocator({
  locate,
}: YamlDocument): (problem: ObjectProblem) => YamlProblem & ObjectProblem {
  return (problem) => ({ ...problem, ...locate(problem.path) })
}

function isInside(path: Path, places: ReadonlySet<string>): boolean {
  return path.some((_, index) => places.has(JSON.stringify(path.slice(0, index + 1))))
}

/** An object has no lines: places are JSON pointers. */
export function parseDocumentObject<T>(
  kind: DocumentKind<T>,
  document: JsonValue,
): Result<T, Failure> {
  const parsed = kind.parse(document)
  return parsed.ok ? parsed : err(refuseObject(kind, parsed.error))
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
    return err({
      code: 'FILE_UNREADABLE',
      summary: `${word} \`${path}\` cannot be read`,
      ...explainMissingFile(path, cause),
    })
  }
}

const START = { line: 1, column: 1, path: [] }

function refuseTooLarge(kind: DocumentName, file: string, most: number): Failure {
  const detail = `the file is larger than ${most} bytes`
  return refuseText(kind, file, [{ ...START, detail }])
}
