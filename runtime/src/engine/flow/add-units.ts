import type { Unit } from '../../ports/store.ts'

/** Both, or neither. */
export function addUnits(one: Unit, other: Unit): Unit {
  return {
    guards: [...one.guards, ...other.guards],
    writes: [...one.writes, ...other.writes],
  }
}
