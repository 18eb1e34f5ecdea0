/** Finds out what every name of a program stands for. */
import type { Span } from '../../../text/span.ts'
import type { ReadProgram } from '../read-program.ts'
import { bindDocs } from './bind-docs.ts'
import { visitClass } from './classes.ts'
import { visitElement, visitExpression, visitStatement } from './expressions.ts'
import { hasStrictDirective, visitFunction } from './functions.ts'
import { visitModule, visitStatements } from './modules.ts'
import { resolveUses } from './resolve-uses.ts'
import { visitType } from './type-nodes.ts'
import { Walk } from './walk.ts'

const VISITORS = [
  visitExpression,
  visitStatement,
  visitFunction,
  visitClass,
  visitType,
  visitModule,
  visitElement,
]

export function bindProgram(text: string, read: ReadProgram, fileName: string): Walk {
  const { program } = read
  const walk = new Walk(text, VISITORS, findDocs(text, read.parts))
  walk.isStrict = program.sourceType === 'module' || hasStrictDirective(program.body)
  walk.isAmbient = fileName.endsWith('.d.ts')
  walk.isTyped = /\.tsx?$/u.test(fileName)
  visitStatements(walk, program.body, walk.module)
  bindDocs(walk)
  resolveUses(walk)
  return walk
}

/** Several comments before one thing are all about it. */
function findDocs(text: string, parts: ReadProgram['parts']): Map<number, readonly Span[]> {
  const docs = new Map<number, readonly Span[]>()
  let waiting: Span[] = []
  let end = -1
  for (const { kind, start, end: partEnd } of parts) {
    if (kind !== 'comment') continue
    if (end >= 0 && text.slice(end, start).trim() !== '') waiting = []
    end = partEnd
    const isDoc = text.startsWith('/**', start) && text[start + 3] !== '/' && partEnd - start > 4
    if (isDoc) waiting.push({ start, end: partEnd })
    BLANK.lastIndex = partEnd
    const next = partEnd + (BLANK.exec(text)?.[0].length ?? 0)
    if (waiting.length > 0) docs.set(next, [...waiting])
  }
  return docs
}

const BLANK = /\s*/uy
