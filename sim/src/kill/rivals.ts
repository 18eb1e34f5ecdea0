/** Agents that one alarm wakes, and whose proposals exclude each other: the process dies while they wait for one another. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Flow, Runtime } from '../../../runtime/src/compose.ts'
import { createCanary } from '../canary.ts'
import type { Rng } from '../rng.ts'
import type { Propose } from './exceptions.ts'
import { ALARM, RIVALS } from './law.ts'

const THOUGHT_MS = 20
/** Somebody may have died with the flow. */
const PATIENCE_MS = 3_000
const LOOK_MS = 20

let answered = 0

/** The next one comes when everybody has answered this one: else it would take over whoever was not woken yet. */
export async function playAlarm(runtime: Runtime, rng: Rng): Promise<void> {
  const all = answered + RIVALS.length
  const note = createCanary('observation')
  await runtime.observe({ path: ALARM, value: `${rng.drawUint32()} ${note}` })
  for (let waited = 0; answered < all && waited < PATIENCE_MS; waited += LOOK_MS)
    await sleep(LOOK_MS)
}

export function handleRivalFlows(runtime: Runtime, propose: Propose, rng: Rng): void {
  for (const rival of RIVALS)
    runtime.on(rival, async (flow: Flow) => {
      await sleep(rng.drawBetween(1, THOUGHT_MS))
      const params = { amount: String(rng.drawBetween(1, 9)), to: 'x', memo: createCanary('memo') }
      await propose(flow, { policy_kind: 'PAY', params, step_id: 's' })
      answered += 1
    })
}
