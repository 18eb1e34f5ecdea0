/** What somebody is shown who comes to decide: a row of the inbox, and a request in full. */
import type { JsonObject } from 'rubicon-kernel'
import type {
  AskedAgain,
  ModificationView,
  ShownClaim,
  ShownComment,
} from 'rubicon-runtime/engine/approve'
import { answer } from './answer.ts'
import { ENDS, escalationState, exposure, impact, stakes } from './escalation.ts'
import { factLabel } from './fact.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildMap,
  buildWholeObject,
  integer,
  nameSchema,
  open,
  string,
} from './shape.ts'

const kind = buildEnum('proposal', 'silence', 'failure', 'asked')
const ended = allowNull(buildWholeObject({ as: buildEnum(...ENDS), at: string }))

const claim = {
  by: string,
  person: string,
  since: string,
  until: string,
  yours: boolean,
  given_by: { ...string, description: 'who gave it to them; absent: they took it themselves' },
}

/** Who looks after a request, and for how long. */
export const requestClaim: JsonObject = nameSchema(
  'RequestClaim',
  buildWholeObject<ShownClaim>(claim, ['given_by']),
)

/** What a person said to others about a request. */
const requestComment: JsonObject = nameSchema(
  'ShownComment',
  buildWholeObject<ShownComment>({ at: string, by: string, text: string, yours: boolean }),
)

/** The words are not said back, since answers are kept. It names its request, and so its flow: an erasure finds it by that. */
export type SaidComment = Omit<ShownComment, 'text'> & { readonly request: string }

export const saidComment: JsonObject = nameSchema(
  'SaidComment',
  buildWholeObject<SaidComment>({ request: string, at: string, by: string, yours: boolean }),
)

const row: JsonObject = nameSchema(
  'InboxRow',
  buildWholeObject({
    id: string,
    kind,
    state: escalationState,
    dfid: string,
    agent_id: string,
    action: allowNull(string),
    object: allowNull(string),
    reason_code: string,
    impact,
    exposure,
    requested_at: string,
    not_before: string,
    expires_at: string,
    needs: integer,
    approvals: integer,
    ended,
    decided: allowNull(
      buildWholeObject({ decision: buildEnum('OVERRIDE', 'MODIFY', 'ABORT'), by: string }),
    ),
    stakes,
  }),
)

export const inbox: JsonObject = nameSchema(
  'Inbox',
  buildWholeObject({
    now: string,
    requests: buildArray(row),
    waiting: buildWholeObject({ mine: integer, fast: integer, team: integer }),
    claimed: buildArray(
      nameSchema('ClaimedRequest', buildWholeObject({ id: string, ...claim }, ['given_by'])),
    ),
    more: boolean,
    under_review: integer,
    next: allowNull(string),
  }),
)

const effect = nameSchema(
  'BriefEffect',
  buildWholeObject({
    changes: allowNull(
      buildArray(
        nameSchema(
          'PreviewRow',
          buildWholeObject(
            { subject: string, field: string, before: anything, after: anything, unit: string },
            ['unit'],
          ),
        ),
      ),
    ),
    holds: buildArray(
      buildWholeObject({ id: string, amount: string, capacity: string }, ['capacity']),
    ),
    params: open,
  }),
)

const outlook = nameSchema(
  'Outlook',
  buildWholeObject(
    { kind: buildEnum('runs', 'refused', 'asks_again'), code: string, details: open },
    ['code', 'details'],
  ),
)

export const askedAgain: JsonObject = nameSchema(
  'AskedAgain',
  buildWholeObject<AskedAgain>({ superseded: string, answer }),
)

/** What a MODIFY would let happen, and what it asks of whoever decides. */
export const modificationView: JsonObject = nameSchema(
  'JudgedModification',
  buildWholeObject<ModificationView>({
    request_id: string,
    now: string,
    impact,
    impact_reasons: buildArray(string),
    exposure,
    reversible: boolean,
    outlook,
    effect,
    digest: allowNull(string),
    acknowledge: allowNull(string),
    not_before: allowNull(string),
  }),
)

const fact = nameSchema(
  'BriefFact',
  buildWholeObject({
    layer: buildEnum('state', 'world'),
    name: string,
    source: string,
    label: factLabel,
    observed_at: allowNull(string),
    version: string,
    was: anything,
    is: anything,
    moved: boolean,
  }),
)

const claims = nameSchema(
  'Claims',
  buildWholeObject({
    trigger: string,
    justification: allowNull(string),
    confidence: allowNull(string),
    explanation: allowNull(
      buildWholeObject({
        narrative: string,
        identified_signals: buildArray(string),
        risks: buildArray(string),
      }),
    ),
    asks: allowNull(string),
  }),
)

const mayNot = allowNull(string)

export const escalationBrief: JsonObject = nameSchema(
  'EscalationBrief',
  buildWholeObject({
    id: string,
    kind,
    dfid: string,
    agent_id: string,
    step_id: allowNull(string),
    attempt: integer,
    impact,
    impact_reasons: buildArray(string),
    exposure,
    reversible: boolean,
    queue: buildEnum('approval', 'exception'),
    channel: string,
    needs: integer,
    approvers: buildArray(string),
    requested_at: string,
    not_before: string,
    expires_at: string,
    now: string,
    state: escalationState,
    ended,
    claimed: allowNull(requestClaim),
    comments: buildArray(requestComment),
    action: allowNull(string),
    object: allowNull(string),
    summary: allowNull(string),
    effect: allowNull(effect),
    outlook: allowNull(outlook),
    why: buildArray(
      nameSchema(
        'Why',
        buildWholeObject({
          id: string,
          code: string,
          domain_code: allowNull(string),
          means: string,
          details: open,
        }),
      ),
    ),
    measures: buildMap(anything),
    facts: buildArray(fact),
    claims,
    budgets: buildArray(
      nameSchema(
        'BriefBudget',
        buildWholeObject({
          measure: string,
          granted: string,
          used: string,
          after: allowNull(string),
          until: allowNull(string),
        }),
      ),
    ),
    asked_this_hour: allowNull(buildWholeObject({ asked: integer, of: integer })),
    before: nameSchema(
      'DecidedBefore',
      buildWholeObject({
        overridden: integer,
        modified: integer,
        aborted: integer,
        expired: integer,
        median_ms: allowNull(integer),
      }),
    ),
    acknowledge: allowNull(string),
    binds: nameSchema(
      'Binds',
      buildWholeObject({
        intent_digest: string,
        shown_snapshot: string,
        shown_facts: string,
        facts_digest: allowNull(string),
        rules_hash: string,
        lifts: buildArray(string),
      }),
    ),
    decisions: buildArray(
      nameSchema(
        'RecordedDecision',
        buildWholeObject({
          approver: string,
          decision: buildEnum('OVERRIDE', 'MODIFY', 'ABORT', 'EXPIRED'),
          justification: string,
          at: string,
        }),
      ),
    ),
    may: buildWholeObject({ OVERRIDE: mayNot, MODIFY: mayNot, ABORT: mayNot }),
    abort_ends_agent: boolean,
    schema: allowNull(open),
  }),
)
