/**
 * Counts the final rejections of an agent in a window of time; as many as its contract names
 * suspend it. Those of an instance count for itself, and under the contract of its class for that. The window slides in steps of a twelfth and is never shorter than the contract says.
 */
import {
  type Authority,
  type Contract,
  type DeployedContract,
  findClassContract,
  parseInstant,
  REASONS,
  type ReasonCode,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'

const STEPS = 12

export type RejectionWatch = {
  /** Who would be suspended. */
  readonly agent_id: string
  /** Part of the unit that records the rejection. */
  readonly write: Write
  /** Asked once that unit is durable: why the agent is to be suspended, or null. */
  judgeRejections(): Promise<string | null>
}

/** Under the contract of the flow and, of an instance, that of its class; `alone`: not that one. */
export function createRejectionWatches(
  context: Context,
  authority: Authority,
  deployed: DeployedContract | undefined,
  now: string,
  code: ReasonCode,
  alone: boolean,
): readonly RejectionWatch[] {
  const ofClass = alone ? undefined : findClassContract(authority, deployed)
  const contracts = [deployed?.contract, ofClass]
  const watches = contracts.map((ruled) => createRejectionWatch(context, ruled, now, code))
  return watches.filter((watch) => watch !== null)
}

/** Null when the contract has no such rule, or the refusal is not the agent's fault. */
function createRejectionWatch(
  { store }: Context,
  contract: Contract | undefined,
  now: string,
  code: ReasonCode,
): RejectionWatch | null {
  const rule = contract?.safety_rules.suspend_after_rejections
  if (contract === undefined || rule === undefined || REASONS[code].transient) return null
  const stepMs = Math.ceil((rule.window_s * 1000) / STEPS)
  const current = Math.floor((parseInstant(now) ?? 0) / stepMs)
  const toStepCounter = (step: number): string =>
    `rejections:${contract.agent_id}:${stepMs}:${step}`
  return {
    agent_id: contract.agent_id,
    write: { kind: 'count', id: toStepCounter(current), by: 1 },
    async judgeRejections() {
      let rejections = 0
      for (let step = current - STEPS; step <= current; step++)
        rejections += await store.readCounter(toStepCounter(step))
      if (rejections < rule.count) return null
      return `${rejections} rejections within ${rule.window_s} s`
    },
  }
}
