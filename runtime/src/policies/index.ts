/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { type CedarInput, type CedarPolicy, toCedarInput } from './cedar.ts'
export { draftPolicy, loadPolicies, loadPolicy } from './load-policy.ts'
export { findPoliciesProblem } from './policies-problem.ts'
export type { CedarText, PolicyForm } from './policy-form.ts'
export { listRuleHeads, type RuleHead } from './rule-heads.ts'
export { findUnknownNames, type KnownCapability, type UnknownName } from './unknown-names.ts'
