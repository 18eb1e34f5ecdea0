/** Reads the one document of a YAML text. */
import { err, ok, type Result } from 'rubicon-kernel'
import { type Document, isScalar, type Node, parseAllDocuments, visit } from 'yaml'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import type { ParseProblem } from '../../tree/parsed.ts'
import { nameYamlKey } from './name-key.ts'

export function readDocument(text: string): Result<Document, ParseProblem> {
  // The library compares each key with each, which takes the square of their number.
  const documents = parseAllDocuments(text, { uniqueKeys: false })
  const [document, ...more] = Array.isArray(documents) ? documents : []
  if (document === undefined || more.length > 0)
    return err({ detail: 'it has no document, or more than one', at: null })
  const problem = findDocumentProblem(document) ?? findRepeatedKey(text, document)
  return problem === null ? ok(document) : err(problem)
}

function findDocumentProblem({ errors: [problem] }: Document): ParseProblem | null {
  if (problem === undefined) return null
  const [start, end] = problem.pos
  // The library goes as deep as the stack does, and says so.
  if (problem.message.startsWith('Maximum call stack'))
    return { detail: `it is nested deeper than ${ARTIFACT_LIMITS.depth} levels`, at: null }
  return { detail: problem.message.split('\n', 1)[0] ?? 'it is no YAML', at: { start, end } }
}

/** Which of two counts is for whoever reads it, and they do not agree. */
function findRepeatedKey(text: string, document: Document): ParseProblem | null {
  let problem: ParseProblem | null = null
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>()
      for (const { key } of items) {
        const name = nameYamlKey(text, key as Node)
        const id = `${isScalar(key) ? typeof key.value : 'node'} ${name}`
        const [start = 0, end = 0] = (key as Node | null)?.range ?? []
        if (seen.has(id))
          problem ??= { detail: `the key \`${name}\` is there twice`, at: { start, end } }
        seen.add(id)
      }
      return problem === null ? undefined : visit.BREAK
    },
  })
  return problem
}
