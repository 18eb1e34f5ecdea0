/** The library: what a team imports. */
export {
  createRuntime,
  type Flow,
  type FlowProposal,
  RubiconError,
  type Runtime,
  type RuntimeOptions,
} from './compose.ts'
export {
  type Capability,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
} from './ports/capability.ts'
export type { StateSource } from './ports/state-source.ts'
