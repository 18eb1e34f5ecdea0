/** The library: what a team imports. */
import { plantedBug } from './engine/planted-bug.ts'

export {
  createRuntime,
  type Flow,
  type FlowProposal,
  RubiconError,
  type Runtime,
  type RuntimeOptions,
} from './compose.ts'
export type { Artifact, Indexed } from './engine/layers/artifacts.ts'
export type { Observation, Observed, ObserveOptions } from './engine/layers/observe.ts'
export {
  type Capability,
  type Effect,
  type EffectIo,
  NotApplied,
  type ProbeAnswer,
} from './ports/capability.ts'
export type { ManifestSource } from './ports/manifest-source.ts'
export type { StateSource } from './ports/state-source.ts'
export type { LoadTokenizer, Tokenizer } from './ports/tokenizer.ts'

// A mistake planted for the simulator must never reach a program that relies on us.
if (plantedBug !== null) throw new Error('RUBICON_PLANTED_BUG is set: unset it')
