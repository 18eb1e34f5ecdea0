import { checkJson } from '../canonical/check-json.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { type DocumentProblem, Place } from '../contract/reader.ts'
import { formatPointer } from '../proposal/pointer.ts'
import { err, type Failure, ok, type Result } from '../result.ts'
import type { Expression, ExpressionCondition } from './expression.ts'
import { createNamed, type Readable, readCondition, readExpression } from './read-expression.ts'

/** Of an expression that stands by itself, where parameters and facts may be read. */
export function parseExpression(
  value: unknown,
  readable: Readable = { facts: true },
): Result<Expression, Failure> {
  return parse(value, (json, place) => readExpression(json, place, readable, createNamed()))
}

export function parseCondition(
  value: unknown,
  readable: Readable = { facts: true },
): Result<ExpressionCondition, Failure> {
  return parse(value, (json, place) => readCondition(json, place, readable, createNamed()))
}

function parse<T>(value: unknown, read: (json: JsonValue, place: Place) => T): Result<T, Failure> {
  const checked = checkJson(value)
  if (!checked.ok) return err(buildManifestFailure(checked.error.path, checked.error.detail))
  const problems: DocumentProblem[] = []
  const parsed = read(checked.value, new Place(problems))
  const [first] = problems
  return first === undefined ? ok(parsed) : err(toManifestFailure(first))
}

export function toManifestFailure({ path, detail }: DocumentProblem): Failure {
  return buildManifestFailure(formatPointer(path.map(String)), detail)
}

/** The first that is wrong, by its place in the document. */
export function buildManifestFailure(pointer: string, detail: string): Failure {
  return {
    code: 'MANIFEST_INVALID',
    summary: `${pointer === '' ? 'the document' : `\`${pointer}\``} ${detail}`,
    why: 'a tool that is not understood in every part could do what nobody declared',
    fix: 'correct it at that place; `docs/spec/manifests.md` has every member',
    meta: { pointer },
  }
}
