/** Stage 1: the proposal speaks a version that we speak, and a kind that can be carried out. */
import { acceptsVersion } from '../proposal/schema-version.ts'
import type { CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

/** Kinds with a meaning of their own. Their mechanisms arrive with escalation, sagas and the mesh. */
export const RESERVED_KINDS: readonly string[] = [
  'SPAWN_CHILD',
  'RESOLVE_ESCALATION',
  'COMPENSATE',
  'ESCALATE',
  'RETIRE',
]

export const kindStage: Stage = {
  name: 'kind',
  reads: [],
  run({ proposal }: CompileInput): StageResult {
    const { schema_version: version, policy_kind: kind } = proposal
    if (version !== undefined && !acceptsVersion(version))
      return refuse('SCHEMA_VERSION_UNSUPPORTED', { schema_version: version })
    if (RESERVED_KINDS.includes(kind)) return refuse('KIND_UNSUPPORTED', { policy_kind: kind })
    return PASS
  },
}
