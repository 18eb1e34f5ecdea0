/** A document in OpenAPI 3.0 or 3.1, in JSON or YAML, within bounds. Nothing that it refers to is fetched. */
import {
  err,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  parseJson,
  type Result,
} from 'rubicon-kernel'
import { readDocumentText } from '../../contract-file/read-document.ts'
import { parseYaml } from '../../contract-file/yaml-document.ts'

const OPENAPI = { word: 'OpenAPI document', code: 'OPENAPI_INVALID' }

export async function loadOpenApi(path: string): Promise<Result<JsonObject, Failure>> {
  const text = await readDocumentText(OPENAPI, path, LIMITS.openApi.bytes)
  if (!text.ok) return text
  const read = path.endsWith('.json') ? readJson(text.value) : readYaml(text.value)
  if (!read.ok) return err(refuseOpenApi(path, read.error))
  const problem = findVersionProblem(read.value)
  return problem === null && isObject(read.value)
    ? ok(read.value)
    : err(refuseOpenApi(path, problem ?? ''))
}

export function refuseOpenApi(path: string, detail: string): Failure {
  return {
    code: OPENAPI.code,
    summary: `${path}: ${detail}`,
    why: 'nothing is drafted of a document that is not understood',
    fix: 'correct the document, or write the manifest by hand',
  }
}

function readJson(text: string): Result<JsonValue, string> {
  // `format: int64` brings bounds that no double holds.
  const document = parseJson(text, { ...LIMITS.openApi, numbers: 'nearest' })
  if (document.ok) return document
  const { code, at, detail } = document.error
  return err(`${code}: ${detail} (character ${at})`)
}

function readYaml(text: string): Result<JsonValue, string> {
  const document = parseYaml(text)
  if (document.ok) return ok(document.value.value)
  const [first] = document.error.problems
  return err(first === undefined ? 'is no YAML' : `${first.line}:${first.column}: ${first.detail}`)
}

function findVersionProblem(document: JsonValue): string | null {
  if (!isObject(document)) return 'is no object'
  const { openapi } = document
  const isKnown = typeof openapi === 'string' && /^3\.[01]\.\d{1,3}$/.test(openapi)
  return isKnown ? null : 'is no OpenAPI 3.0 or 3.1: `openapi` does not say so'
}
