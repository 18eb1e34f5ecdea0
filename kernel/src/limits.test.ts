import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LIMITS } from './limits.ts'

const PAGE = new URL('../../docs/reference/limits.md', import.meta.url)
const UNITS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  min: 60_000,
  s: 1_000,
}

/** `1,024`, `30 s`, or members as `depth: 64, bytes: 262,144`. */
function limitIn(told: string): unknown {
  if (told.includes(':')) {
    const members = told.split(/, (?=\w+:)/).map((member) => member.split(': '))
    return Object.fromEntries(members.map(([name = '', value = '']) => [name, limitIn(value)]))
  }
  const [digits = '', unit = 'ms'] = told.split(' ')
  return Number(digits.replaceAll(',', '')) * (UNITS[unit] ?? 1)
}

test('every limit is the one that its page tells', () => {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)
  const told = [...rows].map(([, name = '', value = '']) => [name, limitIn(value)])
  assert.deepEqual(Object.fromEntries(told), { ...LIMITS })
})
