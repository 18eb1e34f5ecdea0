/**
 * For whom the runtime may vouch at the present place: anybody, until a key for approving is registered;
 * from there on whoever has one that is in use. Keys that have ended count as there being keys: whoever
 * could end keys could else decide as somebody who needs none.
 */
import { findLinkedPerson, isKeyInUse, type KeySet, type Persons } from 'rubicon-kernel'

export type KeyHolders = {
  /** Whether the person, as they count here, may be vouched for. */
  readonly mayBeVouchedFor: (person: string) => boolean
  /** Keys, or whose they are, have changed. */
  readonly forget: () => void
}

type Holders = {
  readonly isAsked: boolean
  /** A key in use of which nobody here knows whose it is. */
  readonly hasUnlinked: boolean
  readonly persons: ReadonlySet<string>
}

/** A ledger has far more decisions than changes of keys: who holds them is found once for each change. */
export function createKeyHolders(keys: KeySet, persons: Persons, whole: boolean): KeyHolders {
  let known: Holders | null = null
  return {
    mayBeVouchedFor: (person) => {
      known ??= findHolders(keys, persons)
      // A bundle may have left out whose key it is.
      const isOpen = !known.isAsked || (!whole && known.hasUnlinked)
      return isOpen || known.persons.has(person)
    },
    forget: () => {
      known = null
    },
  }
}

function findHolders(keys: KeySet, persons: Persons): Holders {
  const approvers = keys.records().filter(({ purpose }) => purpose === 'approver')
  const held = approvers
    .filter(isKeyInUse)
    .map(({ key_id }) => findLinkedPerson(persons, key_id) ?? null)
  return {
    isAsked: approvers.length > 0,
    hasUnlinked: held.includes(null),
    persons: new Set(held.filter((one) => one !== null)),
  }
}
