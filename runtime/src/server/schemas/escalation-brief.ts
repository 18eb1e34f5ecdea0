/** What somebody is shown who comes to decide: a row of the inbox, and a request in full. */
import type { JsonObject } from 'rubicon-kernel'
import type { AskedAgain } from '../../engine/escalate/ask-again.ts'
import type { ShownClaim } from '../../engine/escalate/claim.ts'
import type { ModificationView } from '../../engine/escalate/modification.ts'
import {
  anything,
  boolean,
  buildWholeObject,
  integer,
  many,
  mapOf,
  named,
  open,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { answer } from './answer.ts'
import { ENDS, escalationState, exposure, impact } from './escalation.ts'
import { factLabel } from './fact.ts'

const kind = words('proposal', 'silence', 'failure', 'asked')
const ended = orNull(buildWholeObject({ as: words(...ENDS), at: string }))

const claim = { by: string, person: string, since: string, until: string, yours: boolean }

/** Who looks after a request, and for how long. */
export const requestClaim: JsonObject = named('RequestClaim', buildWholeObject<ShownClaim>(claim))

const row: JsonObject = named(
  'InboxRow',
  buildWholeObject({
    id: string,
    kind,
    state: escalationState,
    dfid: string,
    agent_id: string,
    action: orNull(string),
    object: orNull(string),
    reason_code: string,
    impact,
    exposure,
    requested_at: string,
    not_before: string,
    expires_at: string,
    needs: integer,
    approvals: integer,
    ended,
    decided: orNull(
      buildWholeObject({ decision: words('OVERRIDE', 'MODIFY', 'ABORT'), by: string }),
    ),
  }),
)

export const inbox: JsonObject = named(
  'Inbox',
  buildWholeObject({
    now: string,
    requests: many(row),
    waiting: buildWholeObject({ mine: integer, fast: integer, team: integer }),
    claimed: many(named('ClaimedRequest', buildWholeObject({ id: string, ...claim }))),
    more: boolean,
    under_review: integer,
    next: orNull(string),
  }),
)

const effect = named(
  'BriefEffect',
  buildWholeObject({
    changes: orNull(
      many(
        named(
          'PreviewRow',
          buildWholeObject(
            { subject: string, field: string, before: anything, after: anything, unit: string },
            ['unit'],
          ),
        ),
      ),
    ),
    holds: many(buildWholeObject({ id: string, amount: string, capacity: string }, ['capacity'])),
    params: open,
  }),
)

const outlook = named(
  'Outlook',
  buildWholeObject({ kind: words('runs', 'refused', 'asks_again'), code: string, details: open }, [
    'code',
    'details',
  ]),
)

export const askedAgain: JsonObject = named(
  'AskedAgain',
  buildWholeObject<AskedAgain>({ superseded: string, answer }),
)

/** What a MODIFY would let happen, and what it asks of whoever decides. */
export const modificationView: JsonObject = named(
  'JudgedModification',
  buildWholeObject<ModificationView>({
    request_id: string,
    now: string,
    impact,
    impact_reasons: many(string),
    exposure,
    reversible: boolean,
    outlook,
    effect,
    digest: orNull(string),
    acknowledge: orNull(string),
    not_before: orNull(string),
  }),
)

const fact = named(
  'BriefFact',
  buildWholeObject({
    layer: words('state', 'world'),
    name: string,
    source: string,
    label: factLabel,
    observed_at: orNull(string),
    version: string,
    was: anything,
    is: anything,
    moved: boolean,
  }),
)

const claims = named(
  'Claims',
  buildWholeObject({
    trigger: string,
    justification: orNull(string),
    confidence: orNull(string),
    explanation: orNull(
      buildWholeObject({
        narrative: string,
        identified_signals: many(string),
        risks: many(string),
      }),
    ),
    asks: orNull(string),
  }),
)

const mayNot = orNull(string)

export const escalationBrief: JsonObject = named(
  'EscalationBrief',
  buildWholeObject({
    id: string,
    kind,
    dfid: string,
    agent_id: string,
    step_id: orNull(string),
    attempt: integer,
    impact,
    impact_reasons: many(string),
    exposure,
    reversible: boolean,
    queue: words('approval', 'exception'),
    channel: string,
    needs: integer,
    approvers: many(string),
    requested_at: string,
    not_before: string,
    expires_at: string,
    now: string,
    state: escalationState,
    ended,
    claimed: orNull(requestClaim),
    action: orNull(string),
    object: orNull(string),
    summary: orNull(string),
    effect: orNull(effect),
    outlook: orNull(outlook),
    why: many(
      named(
        'Why',
        buildWholeObject({
          id: string,
          code: string,
          domain_code: orNull(string),
          means: string,
          details: open,
        }),
      ),
    ),
    measures: mapOf(anything),
    facts: many(fact),
    claims,
    budgets: many(
      named(
        'BriefBudget',
        buildWholeObject({
          measure: string,
          granted: string,
          used: string,
          after: orNull(string),
          until: orNull(string),
        }),
      ),
    ),
    asked_this_hour: orNull(buildWholeObject({ asked: integer, of: integer })),
    before: named(
      'DecidedBefore',
      buildWholeObject({
        overridden: integer,
        modified: integer,
        aborted: integer,
        expired: integer,
        median_ms: orNull(integer),
      }),
    ),
    acknowledge: orNull(string),
    binds: named(
      'Binds',
      buildWholeObject({
        intent_digest: string,
        shown_snapshot: string,
        shown_facts: string,
        facts_digest: orNull(string),
        rules_hash: string,
        lifts: many(string),
      }),
    ),
    decisions: many(
      named(
        'RecordedDecision',
        buildWholeObject({
          approver: string,
          decision: words('OVERRIDE', 'MODIFY', 'ABORT', 'EXPIRED'),
          justification: string,
          at: string,
        }),
      ),
    ),
    may: buildWholeObject({ OVERRIDE: mayNot, MODIFY: mayNot, ABORT: mayNot }),
    abort_ends_agent: boolean,
    schema: orNull(open),
  }),
)
