/**
 * Reads expressions and conditions of a document, strictly: one operator, its own members and no others, the
 * right number of operands, within depth and nodes. What is wrong is told with its place.
 */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { describeValue, type Place } from '../contract/reader.ts'
import { LIMITS } from '../limits.ts'
import { formatPointer, isConcretePointer, parsePointer } from '../proposal/pointer.ts'
import type { Expression, ExpressionCondition } from './expression.ts'
import { parsePlace } from './read-at.ts'
import { findTemplateProblem, parseTextTemplate, type TemplateUse } from './text-template.ts'

/** What an expression may read where it stands. Parameters may be read everywhere. */
export type Readable = {
  readonly facts?: boolean
  readonly result?: boolean
  readonly status?: boolean
}

/** What is named in a document, for those who hold it against schemas and facts. */
export type Named = {
  /** Pointers into the parameters, with `*` where a sum or a count goes over elements. */
  readonly pointers: Set<string>
  /** Templates of the State paths that are read. */
  readonly facts: Set<string>
  /** Parts of all expressions. */
  nodes: number
}

export function createNamed(): Named {
  return { pointers: new Set(), facts: new Set(), nodes: 0 }
}

export function readExpression(
  value: JsonValue | undefined,
  place: Place,
  readable: Readable,
  named: Named,
): Expression {
  return new ExpressionReader(readable, named).readExpression(value, place, 1, null)
}

export function readCondition(
  value: JsonValue | undefined,
  place: Place,
  readable: Readable,
  named: Named,
): ExpressionCondition {
  return new ExpressionReader(readable, named).readCondition(value, place, 1, null)
}

/** A text in which `{/pointer}` stands for a parameter. */
export function readTextTemplate(
  value: JsonValue | undefined,
  place: Place,
  use: TemplateUse,
  { pointers }: Named,
): string {
  if (typeof value !== 'string' || value.length > LIMITS.manifestTextLength) {
    place.refuseValue(value, 'a text in which `{/pointer}` may stand for a parameter')
    return ''
  }
  const parts = parseTextTemplate(value)
  const problem = parts.ok ? findTemplateProblem(parts.value, use) : parts.error
  if (problem !== undefined) place.refuse(problem)
  if (parts.ok)
    for (const part of parts.value) if (part.kind === 'param') pointers.add(part.pointer)
  return value
}

/** Members that may stand beside an operator. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  round: ['digits'],
  sum: ['of'],
  count: ['of'],
}

const VALUES = ['param', 'fact', 'result', 'status', 'const', 'item'] as const
const LISTS = ['add', 'sub', 'mul', 'min', 'max'] as const
const SINGLE = ['abs', 'neg', 'round'] as const
const EXPRESSIONS: readonly string[] = [...VALUES, ...LISTS, ...SINGLE, 'sum', 'count', 'if']
const CONDITIONS: readonly string[] = ['eq', 'lt', 'le', 'in', 'and', 'or', 'not']

/** Stands where something was refused; nobody gets to see it. */
const NOTHING: Expression = { const: null }
const NEVER: ExpressionCondition = { in: [NOTHING, []] }

class ExpressionReader {
  readonly #readable: Readable
  readonly #named: Named
  #nodes = 0

  constructor(readable: Readable, named: Named) {
    this.#readable = readable
    this.#named = named
  }

  /** `of`: the elements that a sum around it goes over. */
  readExpression(
    value: JsonValue | undefined,
    place: Place,
    depth: number,
    of: string | null,
  ): Expression {
    const node = this.#readNode(value, place, depth, EXPRESSIONS)
    if (node === undefined) return NOTHING
    const { operator, operand, source } = node
    const at = place.stepInto(operator)
    if (isOneOf(VALUES, operator)) this.#checkValue(operator, operand, at, of)
    else if (isOneOf(LISTS, operator)) this.#readList(operand, at, depth, of)
    else if (isOneOf(SINGLE, operator)) this.#readSingle(source, operator, place, depth, of)
    else if (operator === 'if') this.#readChoice(operand, at, depth, of)
    else this.#readElements(source, operator, place, depth)
    return source as Expression
  }

  readCondition(
    value: JsonValue | undefined,
    place: Place,
    depth: number,
    of: string | null,
  ): ExpressionCondition {
    const node = this.#readNode(value, place, depth, CONDITIONS)
    if (node === undefined) return NEVER
    const { operator, operand, source } = node
    const at = place.stepInto(operator)
    if (operator === 'not') this.readCondition(operand, at, depth + 1, of)
    else if (operator === 'and' || operator === 'or') {
      for (const [index, one] of this.#listOperands(operand, at, 2).entries())
        this.readCondition(one, at.stepInto(index), depth + 1, of)
    } else if (operator === 'in') {
      const [one, list] = this.#listOperands(operand, at, 2, 2)
      this.readExpression(one, at.stepInto(0), depth + 1, of)
      checkChoices(list, at.stepInto(1))
    } else {
      for (const [index, one] of this.#listOperands(operand, at, 2, 2).entries())
        this.readExpression(one, at.stepInto(index), depth + 1, of)
    }
    return source as ExpressionCondition
  }

  /** The one operator of an object that has nothing else; undefined where something was refused. */
  #readNode(
    value: JsonValue | undefined,
    place: Place,
    depth: number,
    operators: readonly string[],
  ): { operator: string; operand: JsonValue | undefined; source: JsonObject } | undefined {
    const { depth: deepest, nodes } = LIMITS.manifestExpression
    this.#nodes += 1
    this.#named.nodes += 1
    if (this.#nodes > nodes) return refuse(place, `has more than ${nodes} parts`)
    if (depth > deepest) return refuse(place, `is nested deeper than ${deepest}`)
    if (!isObject(value)) {
      place.refuseValue(value, `an object with one of ${operators.join(', ')}`)
      return undefined
    }
    const members = Object.keys(value)
    const [operator, second] = members.filter((member) => operators.includes(member))
    if (operator === undefined) {
      const named = members.map((member) => describeValue(member)).join(', ') || 'nothing'
      return refuse(place, `has none of ${operators.join(', ')}, but ${named}`)
    }
    if (second !== undefined) return refuse(place, `has both \`${operator}\` and \`${second}\``)
    const beside = BESIDE[operator] ?? []
    const unknown = members.find((member) => member !== operator && !beside.includes(member))
    if (unknown !== undefined) {
      place.stepInto(unknown).refuse('is not a known field')
      return undefined
    }
    return { operator, operand: value[operator], source: value }
  }

  #checkValue(
    operator: (typeof VALUES)[number],
    operand: JsonValue | undefined,
    at: Place,
    of: string | null,
  ): void {
    const { facts = false, result = false, status = false } = this.#readable
    if (operator === 'param') this.#checkParam(operand, at)
    else if (operator === 'fact') {
      if (!facts) at.refuse('no facts can be read here: they belong to the decision')
      else this.#named.facts.add(readTextTemplate(operand, at, 'path', this.#named))
    } else if (operator === 'result') {
      if (!result) at.refuse('there is no result yet here')
      else checkPlace(operand, at)
    } else if (operator === 'status') {
      if (!status) at.refuse('the status can be read in a probe alone')
      else if (operand !== true) at.refuseValue(operand, '`true`')
    } else if (operator === 'item') this.#checkItem(operand, at, of)
  }

  #checkParam(operand: JsonValue | undefined, at: Place): void {
    if (typeof operand !== 'string' || !isConcretePointer(operand))
      at.refuseValue(operand, 'a JSON pointer to one parameter, without `*`')
    else this.#named.pointers.add(operand)
  }

  #checkItem(operand: JsonValue | undefined, at: Place, of: string | null): void {
    if (of === null) at.refuse('there is no element here: it stands in a `sum` alone')
    else if (checkPlace(operand, at))
      this.#named.pointers.add(`${of}${typeof operand === 'string' ? operand : ''}`)
  }

  #readList(operand: JsonValue | undefined, at: Place, depth: number, of: string | null): void {
    for (const [index, one] of this.#listOperands(operand, at, 2).entries())
      this.readExpression(one, at.stepInto(index), depth + 1, of)
  }

  #readSingle(
    source: JsonObject,
    operator: (typeof SINGLE)[number],
    place: Place,
    depth: number,
    of: string | null,
  ): void {
    this.readExpression(source[operator], place.stepInto(operator), depth + 1, of)
    const { digits } = source
    if (operator !== 'round' || digits === undefined) return
    const most = LIMITS.manifestExpression.digits
    if (typeof digits !== 'number' || !Number.isInteger(digits) || digits < 0 || digits > most)
      place.stepInto('digits').refuseValue(digits, `a whole number from 0 to ${most}`)
  }

  #readChoice(operand: JsonValue | undefined, at: Place, depth: number, of: string | null): void {
    const [condition, chosen, other] = this.#listOperands(operand, at, 3, 3)
    if (condition === undefined) return
    this.readCondition(condition, at.stepInto(0), depth + 1, of)
    this.readExpression(chosen, at.stepInto(1), depth + 1, of)
    this.readExpression(other, at.stepInto(2), depth + 1, of)
  }

  #readElements(source: JsonObject, operator: string, place: Place, depth: number): void {
    const { of } = source
    const pointer = typeof of === 'string' ? parsePointer(of) : undefined
    if (typeof of !== 'string' || pointer?.includes('*') !== true) {
      place.stepInto('of').refuseValue(of, 'a JSON pointer in which `*` stands for each element')
      return
    }
    this.#named.pointers.add(formatPointer(pointer))
    const at = place.stepInto(operator)
    if (operator === 'sum') this.readExpression(source.sum, at, depth + 1, of)
    else if (source.count !== true) at.refuseValue(source.count, '`true`')
  }

  /** None where it is no list of that length: then that was refused. */
  #listOperands(
    operand: JsonValue | undefined,
    at: Place,
    least: number,
    most: number = LIMITS.manifestExpression.nodes,
  ): readonly JsonValue[] {
    if (Array.isArray(operand) && operand.length >= least && operand.length <= most) return operand
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    const length = Array.isArray(operand) ? `, not of ${operand.length}` : ''
    if (length === '') at.refuseValue(operand, `a list of ${wanted}`)
    else at.refuse(`must be a list of ${wanted}${length}`)
    return []
  }
}

function checkPlace(operand: JsonValue | undefined, at: Place): boolean {
  const names = typeof operand === 'string' ? parsePlace(operand) : undefined
  if (names !== undefined && !names.includes('*')) return true
  at.refuseValue(operand, 'a JSON pointer without `*`, or an empty text for the whole')
  return false
}

function checkChoices(list: JsonValue | undefined, at: Place): void {
  const most = LIMITS.manifestExpression.elements
  if (list === undefined) return
  if (!Array.isArray(list) || list.length === 0 || list.length > most)
    at.refuseValue(list, `a list of 1 to ${most} values`)
}

function refuse(place: Place, detail: string): undefined {
  place.refuse(detail)
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return list.some((one) => one === text)
}
