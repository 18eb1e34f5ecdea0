/** Plans of one base, drawn at random, applied in every order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from 'rubicon-kernel'
import { parseWhole } from '../claims/parsed.test-support.ts'
import type { Delta } from '../delta/delta.ts'
import { planDelta } from '../delta/plan-delta.ts'
import {
  type Draw,
  drawDelta,
  RANDOM_TEXT,
  type RandomText,
} from '../delta/random-deltas.test-support.ts'
import { type KeptPlan, KeptTexts, listOrders, type Texts } from './desk.test-support.ts'
import { createDirectDesk } from './direct-desk.ts'

const desk = createDirectDesk()
const PICKS = fc.infiniteStream(fc.nat(1_000_000))

/** One or two deltas that can be planned one after the other. */
function drawList({ text, format }: RandomText, draw: Draw): readonly Delta[] {
  const deltas: Delta[] = []
  let parsed = parseWhole(format, text)
  const wanted = 1 + draw(2)
  for (let tries = 0; tries < 8 && deltas.length < wanted; tries += 1) {
    const delta = drawDelta(parsed, format, draw)
    const planned = planDelta(parsed, delta, format)
    if (!planned.ok) continue
    deltas.push(delta)
    parsed = planned.value.after
  }
  return deltas
}

/** Null: not all of them go together. */
async function applyInOrder(texts: Texts, plans: readonly KeptPlan[]): Promise<Texts | null> {
  const kept = new KeptTexts(texts)
  for (const plan of plans) {
    if ((await kept.tryApply(desk, plan)) === null) return null
  }
  return kept.now
}

test('two and three plans of one base come to one text, or are refused, in every order', async () => {
  const count = { together: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(RANDOM_TEXT, PICKS, fc.constantFrom(2, 3), async (random, picks, wanted) => {
      const draw: Draw = (below) => (below <= 0 ? 0 : (picks.next().value ?? 0) % below)
      const artifact = random.format.endings[0] === undefined ? 'a' : `a${random.format.endings[0]}`
      const texts = { [artifact]: random.text }
      const plans: KeptPlan[] = []
      for (const key of ['c', 'a', 'b'].slice(0, wanted)) {
        const deltas = drawList(random, draw).map((delta): JsonValue => ({ ...delta }))
        const answer = await desk.ask({
          ask: 'plan',
          key,
          changes: [{ text: { artifact, text: random.text }, deltas }],
          project: [],
        })
        if (answer.ok) plans.push({ key, changes: answer.value.changes })
      }
      const results = await Promise.all(
        listOrders(plans).map((order) => applyInOrder(texts, order)),
      )
      for (const result of results) assert.deepEqual(result, results[0])
      if (plans.length > 1) count[results[0] === null ? 'refused' : 'together'] += 1
    }),
    { seed: 119, numRuns: 40 },
  )
  assert.ok(count.together > 5 && count.refused > 5, JSON.stringify(count))
})
