/** What an opening may ask for, by itself. */
import { type Failure, isBlank } from 'rubicon-kernel'
import type { Opening } from './open.ts'

/** Null: it may be looked at further. */
export function checkOpening({
  dfid,
  trigger,
  event,
  by,
}: Pick<Opening, 'dfid' | 'trigger' | 'event' | 'by'>): Failure | null {
  if (dfid !== undefined) return dfidSupplied
  // An event names its flows: who could say so would choose a dfid, and answer an event that woke nobody.
  if (event !== undefined && by.kind !== 'runtime') return dfidSupplied
  return isBlank(trigger) ? unseenTrigger : null
}

const dfidSupplied: Failure = {
  code: 'DFID_SUPPLIED',
  summary: 'a flow cannot be opened under a dfid that its agent chose',
  why: 'an agent that chooses a dfid could take one that exists, or one that another flow will have',
  fix: 'leave the dfid out and use the one that is returned',
}

const unseenTrigger: Failure = {
  code: 'SCHEMA_INVALID',
  summary: 'the trigger is blank',
  why: 'whoever looks at the flow, and decides about it, must see what it was opened for',
  fix: 'say in a few words what happened',
}
