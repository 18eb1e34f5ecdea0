/**
 * The hands of the reserved kinds: what the engine does when one of them is carried out, and what it
 * finds when it asks itself whether it did. Both are keyed by the intent, so that a process that
 * died between the deed and its record leaves nothing undone and nothing done twice.
 */

import { compensate, probeChosen } from '../compensate/begin.ts'
import type { ReservedHands } from '../engine-context.ts'
import { applyHalt, prepareHalt, probeHalted } from './halt.ts'
import { probeResolved, resolveEscalation } from './resolve-escalation.ts'
import { prepareRetirement, probeRetired, retire } from './retire.ts'
import { prepareChild, probeSpawned, spawnChild } from './spawn-child.ts'
import { prepareInstanceSpawn, probeInstanceSpawned, spawnByProposal } from './spawn-instance.ts'

/**
 * COMPENSATE and RESOLVE_ESCALATION set effects free that leave the process, and have to be durable before:
 * they take units of their own.
 */
export const RESERVED_HANDS: Readonly<Record<string, ReservedHands>> = {
  SPAWN_CHILD: { act: spawnChild, ask: probeSpawned, prepare: prepareChild },
  SPAWN_INSTANCE: {
    act: spawnByProposal,
    ask: probeInstanceSpawned,
    prepare: prepareInstanceSpawn,
  },
  RESOLVE_ESCALATION: { act: resolveEscalation, ask: probeResolved },
  COMPENSATE: { act: compensate, ask: probeChosen },
  // A person is asked in the unit that records it: see `settle.ts`.
  ESCALATE: {
    act: async () => ({}),
    ask: async () => ({ finding: 'applied' }),
    prepare: async () => ({
      effect: {},
      unit: { guards: [], writes: [] },
      finish: () => {},
      explain: () => null,
    }),
  },
  HALT: { act: applyHalt, ask: probeHalted, prepare: prepareHalt },
  RETIRE: { act: retire, ask: probeRetired, prepare: prepareRetirement },
}
