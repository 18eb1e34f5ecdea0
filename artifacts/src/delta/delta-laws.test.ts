import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkReads } from '../claims/check-reads.ts'
import { claimPlan } from '../claims/claim-delta.ts'
import { parseWhole, sha256 } from '../claims/parsed.test-support.ts'
import type { Format } from '../formats/format.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { applySplices, type Splice } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Delta } from './delta.ts'
import { recordList } from './delta-history.ts'
import { planDelta } from './plan-delta.ts'
import { planDeltas } from './plan-deltas.ts'
import { type Draw, drawDelta, RANDOM_TEXT } from './random-deltas.test-support.ts'

const PICKS = fc.infiniteStream(fc.nat(1_000_000))
const RUNS = { seed: 20, numRuns: 160 }

function createDraw(picks: fc.Stream<number>): Draw {
  return (below) => (below <= 0 ? 0 : (picks.next().value ?? 0) % below)
}

/** Deltas that can be planned one after the other. */
function drawList(parsed: ParsedText, format: Format, draw: Draw): readonly Delta[] {
  const deltas: Delta[] = []
  let now = parsed
  for (let tries = 0; tries < 12 && deltas.length < 6; tries += 1) {
    const delta = drawDelta(now, format, draw)
    const planned = planDelta(now, delta, format)
    if (!planned.ok) continue
    deltas.push(delta)
    now = planned.value.after
  }
  return deltas
}

test('what no splice covers is there as it was, the result is parsed, and the inverse gives the text before', () => {
  const planned = new Map<string, number>()
  fc.assert(
    fc.property(RANDOM_TEXT, PICKS, ({ text, format }, picks) => {
      const draw = createDraw(picks)
      let parsed = parseWhole(format, text)
      for (let tries = 0; tries < 6; tries += 1) {
        const delta = drawDelta(parsed, format, draw)
        const result = planDelta(parsed, delta, format)
        if (!result.ok) continue
        const { splices, inverse, after } = result.value
        planned.set(delta.op, (planned.get(delta.op) ?? 0) + 1)
        assert.equal(applySplices(parsed.text, splices), after.text)
        assert.deepEqual(parseWhole(format, after.text).symbols, after.symbols)
        assert.equal(applySplices(after.text, inverse), parsed.text)
        assert.deepEqual(cutOut(after.text, listPutSpans(splices)), cutOut(parsed.text, splices))
        parsed = after
      }
    }),
    RUNS,
  )
  for (const op of [
    'addMember',
    'remove',
    'replaceBody',
    'setSignature',
    'move',
    'addImport',
    'rename',
  ])
    assert.ok((planned.get(op) ?? 0) > 10, `${op} was planned ${planned.get(op) ?? 0} times`)
})

/** What is left of a text without these parts. */
function cutOut(text: string, parts: readonly Pick<Splice, 'start' | 'end'>[]): string {
  return (
    applySplices(
      text,
      parts.map(({ start, end }) => ({ start, end, text: '' })),
    ) ?? assert.fail()
  )
}

test('a list comes to what its deltas come to, and is undone in any order that is permitted', () => {
  let refused = 0
  let undone = 0
  fc.assert(
    fc.property(RANDOM_TEXT, PICKS, ({ text, format }, picks) => {
      const draw = createDraw(picks)
      const parsed = parseWhole(format, text)
      const deltas = drawList(parsed, format, draw)
      if (deltas.length === 0) return
      const planned = planDeltas(parsed, deltas, format)
      assert.ok(planned.ok, planned.ok ? '' : planned.error.detail)
      assert.equal(applySplices(text, planned.value.splices), planned.value.after.text)
      assert.equal(applySplices(planned.value.after.text, planned.value.inverse), text)
      const history = recordList(parsed, planned.value, format)
      for (let left = history.listLive(); left.length > 0; left = history.listLive()) {
        const order = [...left].sort(() => draw(3) - 1)
        const done = order.find((id) => {
          const now = history.getParsed().text
          const result = history.undo(id)
          if (!result.ok) {
            refused += 1
            assert.ok((result.error.candidates ?? []).length > 0, 'it is said which stand on it')
            return false
          }
          assert.equal(applySplices(now, result.value.splices), history.getParsed().text)
          return true
        })
        assert.ok(done !== undefined, 'one of those that are left can be undone')
        undone += 1
      }
      assert.equal(history.getParsed().text, text)
    }),
    RUNS,
  )
  assert.ok(refused > 10 && undone > 100, `${refused} were refused, ${undone} undone`)
})

test('what a list claims to have read is what its artifact has', () => {
  let reads = 0
  fc.assert(
    fc.property(RANDOM_TEXT, PICKS, ({ text, format }, picks) => {
      const parsed = parseWhole(format, text)
      const planned = planDeltas(parsed, drawList(parsed, format, createDraw(picks)), format)
      if (!planned.ok) return
      const claim = claimPlan(planned.value, format, { key: 'a', artifact: 'a', sha256 })
      assert.equal(checkReads(parsed, claim.reads, { type: format.type, sha256 }), null)
      reads += claim.reads.length
    }),
    { ...RUNS, numRuns: 60 },
  )
  assert.ok(reads > 50, `${reads} reads`)
})
