/** Finds out what every name of a program stands for. */
import type { ReadProgram } from '../read-program.ts'
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

export function bindProgram(text: string, { program }: ReadProgram, isAmbient: boolean): Walk {
  const walk = new Walk(text, VISITORS)
  walk.isStrict = program.sourceType === 'module' || hasStrictDirective(program.body)
  walk.isAmbient = isAmbient
  visitStatements(walk, program.body, walk.module)
  resolveUses(walk)
  return walk
}
