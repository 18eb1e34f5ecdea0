/**
 * Who decided: a person who is registered at that place in the tree, as they count there. None approves
 * twice, by whatever their login is linked to, or HIGH_IMPACT for an agent of their own, or where the contract names others.
 */
import {
  type ApprovalPayload,
  findLinkedPerson,
  type Impact,
  isSameName,
  type JudgedModification,
  listAnsweringPersons,
  type PayloadOf,
} from 'rubicon-kernel'
import { findCountedPerson, type PeopleAtPlace } from '../authority/people-at-place.ts'

type Approved = {
  readonly request: PayloadOf['pending_approval']['request']
  /** Persons who have approved it so far, and the logins that they came by. */
  readonly approved: string[]
  readonly logins: string[]
}

/** An agent and the runtime are no persons. */
export function findPersonProblems(
  people: PeopleAtPlace,
  { request, approved, logins }: Approved,
  { body, vouched_by, signature }: ApprovalPayload,
  /** Of what it lets run; null: it lets nothing run. */
  impact: Impact | null,
): string[] {
  if (body.person === undefined) return []
  const who = findCountedPerson(people, body.person)
  if (who === undefined) return ['the person who decides is not registered']
  const found: string[] = []
  const isSame = (id: string): boolean => findCountedPerson(people, id) === who
  const holder = findLinkedPerson(people.persons(), signature.key_id) ?? (people.whole ? null : who)
  if (vouched_by === 'approver' && holder !== who) found.push('the key belongs to another person')
  if (request.approvers.length > 0 && !request.persons.approvers.some(isSame))
    found.push('the contract names other approvers')
  if (impact === null) return found
  if (impact === 'HIGH_IMPACT') {
    const answering = listAnsweringPersons(request.persons).map((id) =>
      findCountedPerson(people, id),
    )
    // Whom nobody knows may be anybody.
    if (answering.some((one) => one === undefined || one === who))
      found.push('a person responsible for the agent approves it')
  }
  if (approved.some(isSame)) found.push('the same person approves it twice')
  if (logins.some((one) => isSameName(one, body.approver)))
    found.push('the same login approves it twice')
  approved.push(body.person)
  logins.push(body.approver)
  return found
}

/** A person, whatever name they came by then; an agent is its name. */
export function isJudgedFor(
  people: PeopleAtPlace,
  { judged_for }: JudgedModification,
  { approver, person }: ApprovalPayload['body'],
): boolean {
  if (person === undefined) return judged_for === approver
  const who = findCountedPerson(people, person)
  return who !== undefined && findCountedPerson(people, judged_for) === who
}
