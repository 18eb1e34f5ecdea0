/** The names that a file gives to its functions. */
import { extractCode } from '../source-text.ts'

export type FunctionName = { readonly name: string; readonly line: number }

const DECLARED = /\bfunction\s*\*?\s+([A-Za-z_$][\w$]*)/g
/** `const name = (…) =>` and `const name = value =>`; what stands before the arrow is looked at below. */
const BOUND = /\bconst\s+([A-Za-z_$][\w$]*)\s*(?::[^=\n]*?)?=\s*(?:async\s*)?(?=[(<]|[\w$]+\s*=>)/g
/** A method of a class or an object: a name, parameters, a body. Accessors are read as properties. */
const METHOD =
  /^[ \t]+(?:(?:static|async|override|private|protected|public)\s+)*\*?#?([A-Za-z_$][\w$]*)\s*(?:<[^>(]*>)?(?=\()/gm
const CONTROL: ReadonlySet<string> = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'function',
  'constructor',
  'super',
  'await',
  'with',
])

/** Every named function of a file: declarations, arrow functions bound to a constant, methods with a body. */
export function listFunctionNames(text: string): readonly FunctionName[] {
  const code = extractCode(text)
  const found: FunctionName[] = []
  const add = (name: string, at: number): void => {
    found.push({ name, line: code.slice(0, at).split('\n').length })
  }
  for (const { 1: name = '', index } of code.matchAll(DECLARED)) add(name, index)
  for (const { 0: whole, 1: name = '', index } of code.matchAll(BOUND)) {
    if (isArrow(code, index + whole.length)) add(name, index)
  }
  for (const { 0: whole, 1: name = '', index } of code.matchAll(METHOD)) {
    if (CONTROL.has(name)) continue
    if (hasBody(code, index + whole.length)) add(name, index + whole.search(/\S/))
  }
  return found
}

/** Whether what begins at `at` is `(…) =>`, `(…): type =>` or `name =>`. */
function isArrow(code: string, at: number): boolean {
  if (/^[\w$]+\s*=>/.test(code.slice(at, at + 100))) return true
  const open = code.indexOf('(', at)
  // Type parameters may stand before the parentheses.
  if (open < 0 || !/^(?:<[^()]*>)?$/.test(code.slice(at, open).trim())) return false
  const behind = code.slice(findClosingIndex(code, open) + 1)
  return /^\s*(?::(?:[^={};]|=>(?=[^{]*=>))*?(?:\{[^{}]*\}[^={};]*?)?)?=>/.test(behind)
}

/** Whether the parentheses at `at` are those of a method that is written out here. */
function hasBody(code: string, at: number): boolean {
  const behind = code.slice(findClosingIndex(code, at) + 1)
  return /^(?:\s*:(?:[^={};]|\{[^{}]*\})*)?\s*\{/.test(behind) && !/^\s*=>/.test(behind)
}

function findClosingIndex(code: string, open: number): number {
  let depth = 0
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return code.length
}
