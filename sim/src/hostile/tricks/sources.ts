/** Whoever has the token of a source, and wants its lie to stand against operators and other sources. */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Observation } from '../../../../runtime/src/engine/observe/observe.ts'
import type { Speaker } from '../../../../runtime/src/engine/observe/speaker.ts'
import { PRICES } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'anothers_state'
const path = 'market.price.ETH-USD'
const TRUE_PRICE = String(PRICES['ETH-USD'])
const exchange: Speaker = { kind: 'source', source_id: 'exchange' }
const operator: Speaker = { kind: 'operator', by: 'olga' }
const MINUTE_MS = 60_000

async function say(
  stage: Stage,
  speaker: Speaker,
  value: string,
  { aheadMs = 0, ...more }: Partial<Observation> & { readonly aheadMs?: number } = {},
): Promise<void> {
  stage.reach()
  const observed_at = formatInstant(stage.clock.now() + aheadMs)
  stage.hear(
    await stage.engine.contextStore.observe({ path, value, observed_at, ...more }, speaker),
  )
}

export const SOURCE_TRICKS: readonly Trick[] = [
  {
    name: 'lie_ahead_of_the_operators_clock',
    goal,
    patch: 'operators-wait-for-the-owners-clock',
    async attempt(stage) {
      await say(stage, exchange, '0.01', { aheadMs: LIMITS.clockSkewMs })
      stage.clock.advance(stage.rng.drawBetween(1, LIMITS.clockSkewMs - 1))
      await say(stage, operator, TRUE_PRICE)
    },
  },
  {
    name: 'outlast_the_operator',
    goal,
    patch: 'overruled-words-come-back',
    async attempt(stage) {
      const aheadMs = stage.rng.drawBelow(LIMITS.clockSkewMs + 1)
      await say(stage, exchange, '0.01', { aheadMs })
      const until = formatInstant(stage.clock.now() + MINUTE_MS)
      await say(stage, operator, TRUE_PRICE, { aheadMs, until })
      stage.clock.advance(MINUTE_MS)
    },
  },
  {
    name: 'bring_back_an_old_word_after_a_stand_in',
    goal,
    patch: 'words-before-a-stand-in-count',
    async attempt(stage) {
      const { oversight } = stage.engine
      const stand = { source_id: 'stand-in', label: 'trusted', paths: [path] }
      await oversight.registerSource(stand)
      stage.clock.advance(1)
      await say(stage, { kind: 'source', source_id: 'stand-in' }, TRUE_PRICE)
      await oversight.retireSource('stand-in')
      await say(stage, exchange, '0.01', { aheadMs: -stage.rng.drawBetween(1, MINUTE_MS) })
    },
  },
]
