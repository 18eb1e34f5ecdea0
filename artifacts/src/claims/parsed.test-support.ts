/** What tests of plans and claims begin with. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Sha256 } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import type { ParsedText } from '../tree/parsed.ts'

export const sha256: Sha256 = (data) => createHash('sha256').update(data).digest()

export function parseWhole(format: Format, text: string): ParsedText {
  const parsed = format.parse(text)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.detail)
  return parsed.value
}
