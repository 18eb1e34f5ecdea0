/** Which request an entry is about: one that is put before somebody else, and one that is released or asked anew. */
import { type JsonValue, type PayloadOf, toCanonicalText } from 'rubicon-kernel'

type Request = PayloadOf['pending_approval']['request']

/** Only before whom it is, and from when on they may decide, is another. */
export function isSameRequest(known: Request, request: Request): boolean {
  const { channel: _, not_before: before, ...asked } = known
  const { channel: __, not_before: after, ...again } = request
  const text = (one: object): string => toCanonicalText(one as JsonValue)
  return before <= after && text(asked) === text(again)
}

/** That of which the facts say that it was released; null: of none. Of facts only the hash was checked. */
export function findReleasedId(
  payload: PayloadOf['pending_approval'] | PayloadOf['rejection'],
): string | null {
  const facts: unknown = 'facts' in payload ? payload.facts : null
  const approval = isRecord(facts) ? facts.approval : null
  const id = isRecord(approval) ? approval.request_id : null
  return typeof id === 'string' ? id : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
