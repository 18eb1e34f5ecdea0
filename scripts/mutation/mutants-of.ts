import type { Mutant } from './mutant.ts'
import { isCallOf, listChanges } from './operators.ts'
import { findName, listChildren, type Node, parseModule } from './syntax.ts'

/** Every mistake that can be made in a file, in the order of the text. */
export function listMutants(file: string, source: string): readonly Mutant[] {
  const found: Mutant[] = []
  const lines = source.split('\n')
  const visit = (node: Node, around: string, parent: Node | undefined): void => {
    if (isLeftAlone(node)) return
    // A variable of a function is a part of it; a function inside another has a name of its own.
    const isPart = node.type === 'VariableDeclarator' && around !== ''
    const name = isPart ? around : (findName(node) ?? around)
    for (const { start, end, after } of listChanges(node, source, parent)) {
      const line = source.slice(0, start).split('\n').length
      const code = lines[line - 1]?.trim() ?? ''
      const before = source.slice(start, end)
      found.push({ file, function: name, line, code, start, before, after })
    }
    for (const child of listChildren(node)) visit(child, name, node)
  }
  visit(parseModule(source), '', undefined)
  return found
}

/**
 * What an assertion holds is no rule: no test can make it untrue while the code is right. What is
 * imported, and from where, is no decision.
 */
function isLeftAlone(node: Node): boolean {
  const { expression } = node
  const held = node.type === 'ExpressionStatement' ? (expression as Node) : node
  return isCallOf(held, 'assert') || node.type === 'ImportDeclaration'
}
