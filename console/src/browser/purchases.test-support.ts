/** The agents of the `escalation` scenario, whose purchases wait for a person. */
import type { Contract } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime'
import {
  BUYER,
  createPurchaseCapability,
  purchaseContracts,
} from '../../../scenarios/src/escalation.ts'
import { createMovableClock } from '../../../server/src/demo/stage.ts'
import { type ConsoleOptions, type OpenConsole, openConsole } from './console.test-support.ts'

export type Purchases = OpenConsole & {
  readonly bought: readonly string[]
  ahead(ms: number): void
  /** Asks for a purchase; answers with the id of the request. */
  want(usd: string, more?: object): Promise<string>
}

export async function openPurchases(
  change: (contract: Contract) => Contract = (contract) => contract,
  options: ConsoleOptions = {},
): Promise<Purchases> {
  const bought: string[] = []
  const clock = createMovableClock()
  const opened = await openConsole({
    ...options,
    runtime: { capabilities: [createPurchaseCapability(bought)], clock, ...options.runtime },
    async seed(runtime) {
      for (const contract of purchaseContracts()) await runtime.deploy(change(contract))
      await options.seed?.(runtime)
    },
  })
  return {
    ...opened,
    bought,
    ahead: (ms) => clock.ahead(ms),
    want: (usd, more) => want(opened.runtime, usd, more),
  }
}

export async function want(runtime: Runtime, usd: string, more: object = {}): Promise<string> {
  const flow = await runtime.open({ agent: BUYER, trigger: `something for ${usd} is wanted` })
  const proposal = { justification: 'the desk is out of it', confidence: 0.78, ...more }
  await flow.propose({ policy_kind: 'PURCHASE', params: { usd }, ...proposal })
  return `${flow.dfid}:1`
}
