/**
 * Which mistakes are made: those that people make. A bound that is off by one, the wrong one of two
 * words, a check that is left out, an element that is forgotten, an expression that is not anchored.
 */
import { findMember, listOf, type Node } from './syntax.ts'

/** What takes the place of a part of the text. */
export type Change = { readonly start: number; readonly end: number; readonly after: string }
type Operator = (node: Node, text: string, parent: Node | undefined) => readonly Change[]

const SWAPS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
}

/** The sign stands between its two sides, where neither has text of its own. */
function signBetween(node: Node, text: string): Change | null {
  const [left, right] = [findMember(node, 'left'), findMember(node, 'right')]
  const sign = String(node.operator)
  if (left === undefined || right === undefined) return null
  const start = text.slice(0, right.start).lastIndexOf(sign)
  return start < left.end ? null : { start, end: start + sign.length, after: '' }
}

const swapSign: Operator = (node, text) => {
  const after = SWAPS[String(node.operator)]
  const isSwapped = node.type === 'BinaryExpression' || node.type === 'LogicalExpression'
  const sign = isSwapped && after !== undefined ? signBetween(node, text) : null
  return sign === null || after === undefined ? [] : [{ ...sign, after }]
}

/** Without what was there for the other case. */
const dropDefault: Operator = (node, text) => {
  const sign = node.operator === '??' ? signBetween(node, text) : null
  if (sign === null) return []
  // What stands before the sign may end with a parenthesis, which is in no tree.
  return [{ start: text.slice(0, sign.start).trimEnd().length, end: node.end, after: '' }]
}

/** The sign alone: the tree has no parentheses, so that what follows it may begin with one. */
const dropNot: Operator = (node) => {
  if (node.type !== 'UnaryExpression' || node.operator !== '!') return []
  return [{ start: node.start, end: node.start + 1, after: '' }]
}

const negateTest: Operator = (node, text) => {
  const test = findMember(node, 'test')
  if (!/^(IfStatement|ConditionalExpression)$/.test(node.type) || test === undefined) return []
  const { start, end } = test
  return [{ start, end, after: `!(${text.slice(start, end)})` }]
}

/** A check that ends early, and a call or an assignment that stands for itself. */
const dropStatement: Operator = (node, text) => {
  const isCheck =
    node.type === 'IfStatement' &&
    findMember(node, 'alternate') === undefined &&
    /^(ReturnStatement|ContinueStatement|BreakStatement|ThrowStatement)$/.test(
      findMember(node, 'consequent')?.type ?? '',
    )
  const isDone =
    node.type === 'ExpressionStatement' && !isCallOf(findMember(node, 'expression'), 'super')
  if (!isCheck && !isDone) return []
  const lines = text.slice(node.start, node.end).replaceAll(/[^\n]/g, '')
  return [{ start: node.start, end: node.end, after: `;${lines}` }]
}

const changeConstant: Operator = (node, _text, parent) => {
  const { value } = node
  const place = { start: node.start, end: node.end }
  if (node.type !== 'Literal') return []
  if (typeof value === 'number') return [{ ...place, after: String(value + 1) }]
  if (typeof value === 'boolean') return [{ ...place, after: String(!value) }]
  const isCompared =
    parent?.type === 'BinaryExpression' ||
    (parent?.type === 'SwitchCase' && findMember(parent, 'test') === node)
  return typeof value === 'string' && isCompared ? [{ ...place, after: `'${value}x'` }] : []
}

/** A pattern that matches more: without its ends, and with one as good as many. */
const widenPattern: Operator = (node, text) => {
  if (node.type !== 'Literal' || !('regex' in node)) return []
  const pattern = text.slice(node.start, node.end)
  const last = pattern.lastIndexOf('/')
  const changes: Change[] = []
  if (pattern.startsWith('/^'))
    changes.push({ start: node.start + 1, end: node.start + 2, after: '' })
  if (pattern[last - 1] === '$' && pattern[last - 2] !== '\\')
    changes.push({ start: node.start + last - 1, end: node.start + last, after: '' })
  return changes
}

/** Not one in parentheses, or with a type behind it: where such a one ends is in no tree. */
const dropElement: Operator = (node, text) => {
  if (node.type !== 'ArrayExpression') return []
  const elements = listOf(node, 'elements')
  const ends = [node.start + 1, ...elements.map(({ end }) => end)]
  const starts = [...elements.map(({ start }) => start), node.end - 1]
  const isBare = ends.every((end, i) => /^\s*,?\s*$/.test(text.slice(end, starts[i])))
  if (!isBare) return []
  return elements.map((element, i) => {
    const next = elements[i + 1]
    const previous = elements[i - 1]
    const start = next === undefined ? (previous?.end ?? element.start) : element.start
    return { start, end: next?.start ?? element.end, after: '' }
  })
}

const dropQuestion: Operator = (node, text) => {
  const object = findMember(node, 'object')
  if (node.optional !== true || object === undefined) return []
  const start = text.indexOf('?.', object.end)
  const isIndex = text[start + 2] === '['
  return [{ start, end: start + 2, after: isIndex ? '' : '.' }]
}

const ALL: readonly Operator[] = [
  swapSign,
  dropDefault,
  dropNot,
  negateTest,
  dropStatement,
  changeConstant,
  widenPattern,
  dropElement,
  dropQuestion,
]

export function isCallOf(node: Node | undefined, name: string): boolean {
  const callee = node?.type === 'CallExpression' ? findMember(node, 'callee') : undefined
  return callee?.name === name || (name === 'super' && callee?.type === 'Super')
}

export function listChanges(node: Node, text: string, parent: Node | undefined): readonly Change[] {
  return ALL.flatMap((operator) => operator(node, text, parent))
}
