/** What comes from outside, without what nobody can see, and with what looks like an order named. */
import {
  type FactLabel,
  isObject,
  type JsonValue,
  sanitise,
  stripHidden,
  type TextFlag,
} from 'rubicon-kernel'
import { isUntrusted } from './label.ts'

export type Cleaned<T> = { readonly value: T; readonly flags: readonly TextFlag[] }

/** Words of people who are trusted are left as they are. */
export function sanitiseText(text: string, label: FactLabel): Cleaned<string> {
  if (!isUntrusted(label)) return { value: text, flags: [] }
  const { text: value, flags } = sanitise(text)
  return { value, flags }
}

/** Every text inside the value, and every name. Two names that look the same become one. */
export function sanitiseValue(value: JsonValue, label: FactLabel): Cleaned<JsonValue> {
  if (!isUntrusted(label)) return { value, flags: [] }
  const flags = new Set<TextFlag>()
  const cleaned = mapTexts(value, (text) => {
    const part = sanitise(text)
    for (const flag of part.flags) flags.add(flag)
    return part.text
  })
  return { value: cleaned, flags: [...flags].sort() }
}

/** The same of somebody whose words nobody has looked at, where nobody asks what they look like. */
export function stripHiddenValue(value: JsonValue): JsonValue {
  return mapTexts(value, stripHidden)
}

function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (!isObject(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([name, member]) => [change(name), mapTexts(member, change)]),
  )
}
