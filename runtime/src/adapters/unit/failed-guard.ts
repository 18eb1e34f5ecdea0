import { AUTHORITY, assertUnreachable, parseInstant } from 'rubicon-kernel'
import type { Guard } from '../../ports/store.ts'
import { isFree, isHeld } from './lock-guard.ts'
import type { UnitState } from './unit-state.ts'

/** The first guard that does not hold; `at` is the time that the unit would be written with. */
export function findFailedGuard(
  guards: readonly Guard[],
  state: UnitState,
  at: string,
): Guard | undefined {
  return guards.find((guard) => !isGuardMet(guard, state, at))
}

function isGuardMet(guard: Guard, state: UnitState, at: string): boolean {
  switch (guard.kind) {
    case 'flow_absent':
      return state.findFlowVersion(guard.dfid) === undefined
    case 'flow_version':
      return state.findFlowVersion(guard.dfid) === guard.version
    case 'flow_entries':
      return state.countFlowEntries(guard.dfid, guard.trajectory) === guard.count
    case 'claim_absent':
      return state.findExecutionVersion(guard.dfid, guard.step_id) === undefined
    case 'execution_version':
      return state.findExecutionVersion(guard.dfid, guard.step_id) === guard.version
    case 'counter':
      return state.getCounter(guard.id) + guard.by <= guard.limit
    case 'authority_seq':
      return (state.findHead(AUTHORITY)?.seq ?? -1) === guard.seq
    case 'before':
      return isBefore(at, guard.at)
    case 'world_version': {
      const { kind, id } = guard.resource
      return (state.findResource(guard.trajectory, kind, id)?.version ?? null) === guard.version
    }
    case 'trajectory_absent':
      return state.findHead(guard.trajectory) === undefined
    case 'engine_epoch':
      return state.isAlive(guard.epoch)
    case 'record_version':
      return (state.recordVersion(guard) ?? null) === guard.version
    case 'lock_free':
      return isFree(guard, state.listLocks(guard.resource), at)
    case 'lock_held':
      return isHeld(guard, state.listLocks(guard.resource), at)
    default:
      return assertUnreachable(guard)
  }
}

/** A deadline that cannot be read has passed. */
function isBefore(at: string, deadline: string): boolean {
  const now = parseInstant(at)
  const end = parseInstant(deadline)
  return now !== undefined && end !== undefined && now < end
}
