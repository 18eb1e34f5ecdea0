/** Reads the one document of a YAML text. */
import { err, ok, type Result } from 'rubicon-kernel'
import { type Document, parseAllDocuments } from 'yaml'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { ParseProblem } from '../../tree/parsed.ts'

export function readDocument(text: string): Result<Document, ParseProblem> {
  const documents = parseAllDocuments(text, { uniqueKeys: true })
  const [document, ...more] = Array.isArray(documents) ? documents : []
  if (document === undefined || more.length > 0)
    return err({ detail: 'it has no document, or more than one', at: null })
  const [problem] = document.errors
  if (problem === undefined) return ok(document)
  const [start, end] = problem.pos
  // The library goes as deep as the stack does, and says so.
  if (problem.message.startsWith('Maximum call stack'))
    return err({ detail: `it is nested deeper than ${ARTIFACT_LIMITS.depth} levels`, at: null })
  return err({ detail: problem.message.split('\n', 1)[0] ?? 'it is no YAML', at: { start, end } })
}
