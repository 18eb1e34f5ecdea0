/** Another value in the place of one, of the same form: what a holder of the database would write there. */
import type { Rng } from '../../rng.ts'
import type { Value } from './holder.ts'

const WORDS: Readonly<Record<string, string>> = {
  ACTIVE: 'CLOSED',
  ESCALATED: 'ACTIVE',
  EXECUTING: 'ACTIVE',
  CLOSED: 'ACTIVE',
  ABORTED: 'ACTIVE',
  SUCCESS: 'FAILED',
  FAILED: 'SUCCESS',
  UNKNOWN: 'FAILED',
  DISPATCHED: 'FAILED',
  ACCEPTED: 'FAILED',
  one: 'many',
  many: 'one',
  running: 'closed',
  waiting: 'closed',
  null: '"x"',
  '[]': '["DIRTY"]',
}

/** In place of nothing. */
export function fillValue(column: string): Value {
  return column.endsWith('seq') ? 0 : '2030-01-01T00:00:00.000Z'
}

/** Another value of the same kind, as plausible as can be. */
export function changeValue(value: Value, rng: Rng): Value {
  if (value === null) return fillValue('')
  if (typeof value === 'boolean') return !value
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'number') return value > 0 && rng.drawChance(0.5) ? value - 1 : value + 1
  if (value instanceof Uint8Array) {
    const bytes = Uint8Array.from(value)
    const at = rng.drawBelow(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
  const word = WORDS[value]
  if (word !== undefined) return word
  if (value.startsWith('{') || value.startsWith('[')) return changeJson(value, rng)
  return changeText(value, rng)
}

/** A digit becomes another, or a letter does. */
function changeText(text: string, rng: Rng): string {
  const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index)
  if (places.length === 0) return `${text}x`
  const at = rng.pick(places)
  return `${text.slice(0, at)}${(Number(text[at]) + 1) % 10}${text.slice(at + 1)}`
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

export function changeJson(text: string, rng: Rng): string {
  const value = JSON.parse(text) as Json
  const leaves: ((change: (leaf: Json) => Json) => void)[] = []
  const walk = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, leaf] of Object.entries(node)) {
      const holder = node as Record<string, Json>
      if (typeof leaf === 'object' && leaf !== null) walk(leaf)
      else
        leaves.push((change) => {
          holder[name] = change(leaf)
        })
    }
  }
  walk(value)
  if (leaves.length === 0) return Array.isArray(value) ? '["x"]' : '{"x":1}'
  rng.pick(leaves)((leaf) => {
    if (leaf === null) return 'x'
    if (typeof leaf === 'boolean') return !leaf
    if (typeof leaf === 'number') return leaf + 1
    return WORDS[String(leaf)] ?? changeText(String(leaf), rng)
  })
  return JSON.stringify(value)
}
