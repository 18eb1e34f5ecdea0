/**
 * Text in which `{/pointer}` stands for a parameter: paths of State, ids of resources.
 *
 * T1 Two sets of parameters never give the same text in another division: a parameter holds none of the
 *    punctuation that the template writes, and between two parameters there is some of it.
 * T2 In a path of State a parameter is one name: it holds no dot.
 */

import { formatDecimal, toDecimal } from '../canonical/decimal.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { isConcretePointer } from '../proposal/pointer.ts'
import { err, ok, type Result } from '../result.ts'
import { readAt } from './read-at.ts'
import type { Unevaluated } from './unevaluated.ts'

export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly pointer: string }

/** What the text names: a path of State, or a resource. */
export type TemplateUse = 'path' | 'id'

/** Err: what is wrong with it, in words. */
export function parseTextTemplate(text: string): Result<readonly TemplatePart[], string> {
  const parts: TemplatePart[] = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf('{', at)
    const end = open < 0 ? text.length : open
    if (end > at) parts.push({ kind: 'literal', text: text.slice(at, end) })
    if (open < 0) break
    const close = text.indexOf('}', open)
    const pointer = close < 0 ? '' : text.slice(open + 1, close)
    if (!isConcretePointer(pointer))
      return err('has a `{` that begins no `{/pointer}` to one parameter')
    parts.push({ kind: 'param', pointer })
    at = close + 1
  }
  if (parts.length === 0) return err('must not be empty')
  return parts.some((part) => part.kind === 'literal' && part.text.includes('}'))
    ? err('has a `}` that ends nothing')
    : ok(parts)
}

/** Why the text could be put together from different parameters, or can be no name; undefined: it is sound. */
export function findTemplateProblem(
  parts: readonly TemplatePart[],
  use: TemplateUse,
): string | undefined {
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'param') {
      const next = parts[index + 1]
      if (next?.kind === 'param') return 'has two parameters with nothing between them'
      if (next !== undefined && index + 2 < parts.length && listPunctuation([next]) === '')
        return 'has no punctuation between two parameters'
    } else if (use === 'path' ? !isIdentifier(part.text) : !isPlain(part.text))
      return use === 'path'
        ? 'has characters that no path of State has'
        : 'has characters that no id has'
  }
  return undefined
}

/** A template that parsed, with its parameters in place. */
export function fillTextTemplate(
  text: string,
  params: JsonObject,
  use: TemplateUse,
): Result<string, Unevaluated> {
  const parts = parseTextTemplate(text)
  if (!parts.ok) return err({ kind: 'mismatch', detail: `\`${text}\` ${parts.error}` })
  const reserved = listPunctuation(parts.value) + (use === 'path' ? '.' : '')
  let filled = ''
  for (const part of parts.value) {
    if (part.kind === 'literal') {
      filled += part.text
      continue
    }
    const value = readAt(params, part.pointer)
    if (value === undefined) return err({ kind: 'absent', path: part.pointer })
    const said = toTemplateText(value)
    const isLong = said !== undefined && said.length > LIMITS.resourceIdLength
    if (said === undefined || said === '' || isLong || hasAnyOf(said, reserved))
      return err({ kind: 'mismatch', detail: `\`${part.pointer}\` cannot stand in \`${text}\`` })
    filled += said
  }
  const fits =
    use === 'path'
      ? isIdentifier(filled)
      : filled.length <= LIMITS.resourceIdLength && isPlain(filled)
  return fits ? ok(filled) : err({ kind: 'mismatch', detail: `\`${text}\` gives no ${use}` })
}

/** A text as it is, a number in plain digits. */
export function toTemplateText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return undefined
  const decimal = toDecimal(value)
  return decimal === undefined ? undefined : formatDecimal(decimal)
}

/** Characters of the literal parts that are neither letters nor digits. */
function listPunctuation(parts: readonly TemplatePart[]): string {
  const literal = parts.map((part) => (part.kind === 'literal' ? part.text : '')).join('')
  return [...literal].filter((character) => !isAlphanumeric(character)).join('')
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

function isAlphanumeric(character: string): boolean {
  return ALPHANUMERIC.includes(character)
}

function hasAnyOf(text: string, characters: string): boolean {
  return [...characters].some((character) => text.includes(character))
}

const SPACE = 0x20
const DELETE = 0x7f
const LAST_CONTROL = 0x9f

/** No control characters, and no half of a pair. */
function isPlain(text: string): boolean {
  if (!text.isWellFormed()) return false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < SPACE || (code >= DELETE && code <= LAST_CONTROL)) return false
  }
  return true
}
