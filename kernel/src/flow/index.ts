/** Decision flows: states, what ends them, usage, silence, wake-ups. */
export { FLOW_STATES, type FlowState, type FlowTag, OPEN_FLOW_STATES } from './flow.ts'
export { type Ending, govern, isAuthorityLost } from './governor.ts'
export { isPath } from './machine.ts'
export { isSilent, type LocalTime } from './silence.ts'
export { computeLeastGranted, listExhausted, parseUsage } from './usage.ts'
export { isWakingChange } from './wake.ts'
