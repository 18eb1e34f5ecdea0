/** Who is who at the present place in the tree. */
import { type ApprovalPayload, findRegisteredPerson, type Persons } from 'rubicon-kernel'
import type { AnswerWindow } from './approval-window.ts'
import type { AskedPeople } from './contracts.ts'

export type PeopleAtPlace = {
  /** All entries are here: whoever is not known here was never registered. */
  readonly whole: boolean
  readonly persons: () => Persons
  /** Whether an operator's key may stand for the person, by the keys for approving that people have or had. */
  readonly mayBeVouchedFor: (person: string) => boolean
  /** Whether the contract that a flow of the agent is pinned to has exactly these decide; undefined: nobody knows. */
  readonly names: (dfid: string, agent: string, asked: AskedPeople) => boolean | undefined
  /** How long that contract has a request wait. */
  readonly answerWindow: (dfid: string) => AnswerWindow
  /** Whether the first agent answers for the second. In a bundle contracts of others may be left out. */
  readonly isAbove: (above: string, agent: string) => boolean
  /** Why an agent decides nothing here; empty: it may. */
  readonly inactive: (agent: string) => readonly string[]
  /** Whether a step of the agent decided so. In a bundle that stands in a flow which is not there. */
  readonly hasDecided: (agent: string, body: ApprovalPayload['body']) => boolean
}

/** The one that an id counts as; undefined: nobody. In a bundle an id may stand for itself. */
export function findCountedPerson(
  { whole, persons }: PeopleAtPlace,
  id: string,
): string | undefined {
  return findRegisteredPerson(persons(), id) ?? (whole ? undefined : id)
}
