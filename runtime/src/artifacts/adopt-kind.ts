/** `artifact.adopt`: files become known as they are. It reads the disk, and changes World alone. */
import type { JsonObject } from 'rubicon-kernel'
import type { Capability } from '../ports/capability.ts'
import { adoptFiles } from './adopt-files.ts'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { LOCK_WAIT_MS, listArtifactReads, WRITTEN } from './plan-law.ts'
import { NAME_SCHEMA, SYMBOLS_SCHEMA } from './plan-params.ts'
import { isSameNames } from './symbol-name.ts'
import { LOCK, type Workshop } from './workshop.ts'
import { WORLD_PROBE } from './world-probe.ts'
import { isTexts } from './world-values.ts'

export function createAdoptKind(workshop: Workshop): Capability {
  return {
    kind: 'artifact.adopt',
    summary:
      'Makes files known as they are on the disk, or known again after somebody changed them',
    effect: 'put_if_match',
    risk: 'medium',
    reversible: true,
    worldOnly: true,
    params: {
      type: 'object',
      properties: {
        artifacts: {
          type: 'array',
          items: NAME_SCHEMA,
          minItems: 1,
          maxItems: HANDS_LIMITS.adopted,
        },
        symbols: SYMBOLS_SCHEMA,
      },
      required: ['artifacts', 'symbols'],
      additionalProperties: false,
    },
    scopes: WRITTEN,
    sendDeadlineMs: HANDS_LIMITS.sendMs,
    lockWaitMs: LOCK_WAIT_MS,
    reads: ({ artifacts }) => listArtifactReads(isTexts(artifacts) ? artifacts : []),
    resources: () => [LOCK],
    precondition: findNamingProblem,
    execute: (intent) => adoptFiles(workshop, intent),
    probe: WORLD_PROBE,
  }
}

/** An artifact that is adopted is adopted whole: it is the artifact that a contract has to grant. */
function findNamingProblem({ artifacts, symbols }: JsonObject): string | null {
  const isSame = isTexts(artifacts) && isTexts(symbols) && isSameNames(artifacts, symbols)
  return isSame ? null : 'PLAN_SYMBOLS: `symbols` has to be exactly the names in `artifacts`'
}
