/** What comes from outside, without what nobody can see, and with what looks like an order named. */
import { type FactLabel, isObject, type JsonValue, sanitise, type TextFlag } from 'rubicon-kernel'
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
  const cleaned = sanitiseInside(value, flags)
  return { value: cleaned, flags: [...flags].sort() }
}

function sanitiseInside(value: JsonValue, flags: Set<TextFlag>): JsonValue {
  if (typeof value === 'string') return sanitisePart(value, flags)
  if (Array.isArray(value)) return value.map((item) => sanitiseInside(item, flags))
  if (!isObject(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([name, member]) => [sanitisePart(name, flags), sanitiseInside(member, flags)]),
  )
}

function sanitisePart(text: string, flags: Set<TextFlag>): string {
  const cleaned = sanitise(text)
  for (const flag of cleaned.flags) flags.add(flag)
  return cleaned.text
}
