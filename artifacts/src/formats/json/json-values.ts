/** JSON as a value. */
import { err, type JsonValue, ok, type Result } from 'rubicon-kernel'
import type { ParsedText, ParseProblem } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import type { ValueNotation } from '../value-notation.ts'
import { type ReadValue, readJson } from './read-values.ts'
import { detectJsonStyle, writeJson, writeJsonAt, writeJsonMember } from './write-json.ts'

export const JSON_VALUES: ValueNotation = {
  opensInLine: false,
  read: ({ text }) => {
    const read = readJson(text, false)
    return read.ok ? toValue(text, read.value.value) : read
  },
  isFlow: isInOneLine,
  replace: ({ parsed, target, isFlow }, value) => {
    const { body } = target
    if (body === null) return null
    const wasFlow = target.children.length > 0 && isInOneLine(parsed, target)
    const text = writeJsonAt(parsed, target.own.start, value, isFlow || wasFlow)
    return [{ ...body, text }]
  },
  write: ({ parsed, isFlow }, name, value) => {
    const style = detectJsonStyle(parsed, isFlow)
    return name === null ? writeJson(value, style) : writeJsonMember(name, value, style)
  },
}

function isInOneLine({ text, container }: ParsedText, holder: SymbolNode | null): boolean {
  const { start, end } =
    holder === null ? container.inside : (holder.container?.inside ?? holder.own)
  return end > start && !text.slice(start, end).includes('\n')
}

function toValue(text: string, value: ReadValue): Result<JsonValue, ParseProblem> {
  const { members, shape, start, end } = value
  if (members === null) {
    const plain: JsonValue = JSON.parse(text.slice(start, end))
    const isNumber = typeof plain !== 'number' || Number.isFinite(plain)
    return isNumber ? ok(plain) : err({ detail: 'this number is too large', at: { start, end } })
  }
  const items: JsonValue[] = []
  // Without what every object inherits: a key may have any name.
  const object: Record<string, JsonValue> = Object.create(null)
  for (const member of members) {
    const read = toValue(text, member.value)
    if (!read.ok) return read
    if (member.key === null) items.push(read.value)
    else object[member.key.name] = read.value
  }
  return ok(shape === 'array' ? items : object)
}
