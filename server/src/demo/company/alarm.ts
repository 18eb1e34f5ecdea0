/**
 * A shop whose error rate rises: one observation wakes agents that want different things, and one of them is carried out.
 * Whoever answers customers listens too, and is not woken: the rules admit two.
 */
import type { TopicRow } from 'rubicon-kernel'
import type { Flow, FlowProposal, Runtime } from 'rubicon-runtime/compose'
import { DEPLOYER, MARKETING } from './contracts.ts'

/** In percent of all requests. */
export const ERROR_RATE = 'shop.error_rate'

export const COMPANY_TOPICS: readonly TopicRow[] = [
  {
    topic: 'shop.*',
    arbitration: { window_ms: 5_000 },
    admission: { table: [{ from: '0', agents: 2 }] },
  },
]

/** What the model of each makes of it. */
const ANSWERS: Readonly<Record<string, FlowProposal>> = {
  [DEPLOYER]: {
    policy_kind: 'DEPLOY',
    params: { service: 'checkout', version: '1.41.0', environment: 'staging' },
    justification: 'errors began with the last version; the one before it worked',
  },
  [MARKETING]: {
    policy_kind: 'SET_BUDGET',
    params: { campaign: 'spring', usd: '1900.00' },
    justification: 'more visitors than ever: this is the hour to spend',
  },
}

export type Watch = {
  /** Resolves when everybody has answered what they were woken for. */
  awaitRest(): Promise<void>
  /** Whoever has lost leaves it at that. */
  closeLost(): Promise<void>
}

/** Agents that an alarm wakes answer it, each by itself. */
export function startWatch(runtime: Runtime): Watch {
  const work = new Set<Promise<unknown>>()
  let answered: Flow[] = []
  for (const [agent, answer] of Object.entries(ANSWERS))
    runtime.on(agent, (flow) => {
      answered.push(flow)
      const done = flow.propose(answer, { waitMs: 0 }).finally(() => work.delete(done))
      work.add(done)
      return done
    })
  return {
    async awaitRest() {
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.allSettled(work)
    },
    async closeLost() {
      const flows = answered
      answered = []
      for (const flow of flows) {
        const row = await runtime.store.readFlow(flow.dfid)
        if (row?.state === 'ACTIVE') await flow.close()
        // It waits for the others; the next time it is over.
        else if (row?.state === 'VALIDATING') answered.push(flow)
      }
    },
  }
}

/** The alarm, and that all is well again, so that the next one is heard. */
export async function raiseAlarm(runtime: Runtime, watch: Watch): Promise<void> {
  await watch.closeLost()
  await runtime.observe({ path: ERROR_RATE, value: '4.2' })
  await runtime.engine.runDue()
  await watch.awaitRest()
  await runtime.engine.runDue()
  await watch.closeLost()
  await runtime.observe({ path: ERROR_RATE, value: '0.3' })
}
