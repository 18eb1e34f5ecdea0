/** Rules on top of contracts: what a policy is asked and may answer. */
export { describeExcessCost, formatPolicyTrigger } from './evaluate.ts'
export type { Policy, PolicyAnswer, PolicyAsk, PolicyInput, PolicySource } from './policy.ts'
