/** What is said of a document that cannot be accepted: every problem, each with its place. */
import { type Failure, formatPointer, LIMITS } from 'rubicon-kernel'
import { formatProblem, type PlacedProblem } from './placed-problem.ts'
import type { Path, YamlProblem } from './yaml-document.ts'

/** What a kind of document is called, and what a refusal of it is called. */
export type DocumentName = { readonly word: string; readonly code: string }

export type ObjectProblem = {
  readonly path: Path
  readonly detail: string
  /** Where it has a code of its own, which the refusal bears if all its problems have it. */
  readonly code?: string
}

export function refuseText(
  name: DocumentName,
  file: string,
  found: readonly (YamlProblem & ObjectProblem)[],
): Failure {
  const problems = found
    .map(({ line, column, path, detail }) => ({
      file,
      line,
      column,
      path: formatPath(path),
      detail,
    }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
  return refuse({ ...name, code: chooseCode(name, found) }, `${file}: `, problems)
}

export function refuseObject(name: DocumentName, found: readonly ObjectProblem[]): Failure {
  const problems = found.map(({ path, detail }) => ({
    path: formatPointer(path.map(String)),
    detail,
  }))
  return refuse({ ...name, code: chooseCode(name, found) }, '', problems)
}

function chooseCode({ code }: DocumentName, found: readonly ObjectProblem[]): string {
  const [first] = found
  return found.every((problem) => problem.code === first?.code) ? (first?.code ?? code) : code
}

/** One problem stands in the summary; of several it has the number, and they follow line by line. */
function refuse(
  { word, code }: DocumentName,
  place: string,
  found: readonly PlacedProblem[],
): Failure {
  const problems = found.slice(0, LIMITS.documentProblems)
  const [first] = problems
  const some = found.length > problems.length ? `, the first ${problems.length} of them named` : ''
  const told =
    first !== undefined && found.length === 1
      ? formatProblem(first)
      : `${place}${found.length} problems${some}`
  return {
    code,
    summary: `the ${word} cannot be accepted: ${told}`,
    why: 'a member is missing, unknown or unparsable',
    fix: 'correct the places named',
    meta: { problems },
  }
}

function formatPath(path: Path): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
