/**
 * Who decided: a person who is registered at that place in the tree, as they count there, and who has a key for
 * approving in use there, where anybody ever had one. None approves
 * twice, by whatever their login is linked to, or where the contract names others; or HIGH_IMPACT for an agent of their own,
 * unless the contract allows it, and then the approval says so.
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

const NOT_SELF = 'it says that its approver answers for the agent'

/** An agent and the runtime are no persons. */
export function findPersonProblems(
  people: PeopleAtPlace,
  { request, approved, logins }: Approved,
  { body, vouched_by, signature, self_approval }: ApprovalPayload,
  /** Of what it lets run; null: it lets nothing run. */
  impact: Impact | null,
): string[] {
  const isCalledSelf = self_approval !== undefined
  if (body.person === undefined) return isCalledSelf ? [NOT_SELF] : []
  const who = findCountedPerson(people, body.person)
  if (who === undefined) return ['the person who decides is not registered']
  const found: string[] = []
  const isSame = (id: string): boolean => findCountedPerson(people, id) === who
  const holder = findLinkedPerson(people.persons(), signature.key_id) ?? (people.whole ? null : who)
  if (vouched_by === 'approver' && holder !== who) found.push('the key belongs to another person')
  if (vouched_by === 'operator' && !people.mayBeVouchedFor(who))
    found.push('an operator vouches for somebody without a key for approving that is in use')
  if (request.approvers.length > 0 && !request.persons.approvers.some(isSame))
    found.push('the contract names other approvers')
  const isSelf = impact === 'HIGH_IMPACT' && isAnswering(people, request, who)
  if ((isSelf || isCalledSelf) && request.self_approval !== 'allowed')
    found.push('a person responsible for the agent approves it')
  if (isSelf && !isCalledSelf) found.push('it does not say that its approver answers for the agent')
  // In a bundle two ids may be one person without anybody knowing.
  if (isCalledSelf && !isSelf && (people.whole || impact !== 'HIGH_IMPACT')) found.push(NOT_SELF)
  if (impact === null) return found
  if (approved.some(isSame)) found.push('the same person approves it twice')
  if (logins.some((one) => isSameName(one, body.approver)))
    found.push('the same login approves it twice')
  approved.push(body.person)
  logins.push(body.approver)
  return found
}

function isAnswering(
  people: PeopleAtPlace,
  { persons }: Approved['request'],
  who: string,
): boolean {
  const answering = listAnsweringPersons(persons).map((id) => findCountedPerson(people, id))
  // Whom nobody knows may be anybody.
  return answering.some((one) => one === undefined || one === who)
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
