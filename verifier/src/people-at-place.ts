/** Who is who at the present place in the tree. */
import { type ContractPersons, type Persons, personIn } from 'rubicon-kernel'

export type PeopleAtPlace = {
  /** All entries are here: whoever is not known here was never registered. */
  readonly whole: boolean
  readonly persons: () => Persons
  /** Whether a contract of the agent names exactly these; undefined: none was seen. */
  readonly names: (agent: string, persons: ContractPersons) => boolean | undefined
}

/** The one that an id counts as; undefined: nobody. In a bundle an id may stand for itself. */
export function countsAs({ whole, persons }: PeopleAtPlace, id: string): string | undefined {
  return personIn(persons(), id) ?? (whole ? undefined : id)
}
