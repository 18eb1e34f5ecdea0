/** Who is one and the same, whatever they are called where. */
export { hashIdentity, hashIdentityCommitment, type Identity } from './identity.ts'
export {
  type ContractPersons,
  deriveInheritedPersons,
  findLinkedPerson,
  findRegisteredPerson,
  foldPerson,
  isSamePerson,
  listAnsweringPersons,
  NO_PERSONS,
  NOBODY,
  PERSON_PREFIX,
  type PersonBody,
  type Persons,
  type PersonsDraft,
} from './person.ts'
export { findPersonNameProblem, isSameName, RESERVED_PREFIXES } from './person-name.ts'
