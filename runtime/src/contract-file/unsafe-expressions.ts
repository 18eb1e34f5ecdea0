/**
 * The expressions of a contract document that cannot run in linear time, with their places.
 *
 * It looks at the document and not at the contract, so that they are named beside whatever else is
 * wrong with it. What is admitted is decided by `compilePatterns`, on the contract that was read.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { compileExpression } from './compile-patterns.ts'
import type { ObjectProblem } from './document-refusal.ts'
import type { Path } from './yaml-document.ts'

const REGEX = 're:'

export function findUnsafeExpressions(document: JsonValue): readonly ObjectProblem[] {
  if (!isObject(document)) return []
  const problems: ObjectProblem[] = []
  collect(document.permissions, ['permissions'], problems)
  return problems
}

/** Patterns stand in lists only, whatever the list is called. */
function collect(value: JsonValue | undefined, path: Path, problems: ObjectProblem[]): void {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value
    items.forEach((item, index) => {
      if (typeof item === 'string') problems.push(...checkExpression(item, [...path, index]))
      else collect(item, [...path, index], problems)
    })
  } else if (isObject(value))
    for (const name of Object.keys(value)) collect(value[name], [...path, name], problems)
}

function checkExpression(pattern: string, path: Path): readonly ObjectProblem[] {
  if (!pattern.startsWith(REGEX)) return []
  const compiled = compileExpression(pattern.slice(REGEX.length))
  if (compiled.ok) return []
  const { code, summary, why } = compiled.error
  return [{ path, detail: `${summary}: ${why}`, code }]
}
