/** Reads a request that came from another process. */
import { err, ok, type Result } from 'rubicon-kernel'
import type { DeskProblem } from './desk-answer.ts'
import type { DeskRequest } from './desk-request.ts'
import {
  allowNull,
  chooseForm,
  isAny,
  isCount,
  isJsonObject,
  isText,
  listForm,
  recordForm,
} from './form.ts'
import { CLAIMS, SPLICES, STEPS, STRATEGY_TREE } from './shared-forms.ts'

const TEXT_MEMBERS = {
  artifact: isText,
  'media?': isText,
  text: isText,
  'schema?': isJsonObject,
}
const TEXT = recordForm(TEXT_MEMBERS)
const DELTAS = listForm(isAny)

const SINCE = recordForm({
  key: isText,
  base: isText,
  deltas: allowNull(DELTAS),
  claims: CLAIMS,
  splices: SPLICES,
  steps: STEPS,
})

const PAST = recordForm({
  seq: isCount,
  before: isText,
  after: isText,
  steps: STEPS,
  undoes: allowNull(isCount),
})

const REQUEST = chooseForm('ask', {
  symbols: recordForm({ ask: isText, text: TEXT, 'below?': isText, 'depth?': isCount }),
  slice: recordForm({ ask: isText, text: TEXT, path: isText }),
  plan: recordForm({
    ask: isText,
    key: isText,
    changes: listForm(recordForm({ text: TEXT, deltas: DELTAS })),
    project: listForm(TEXT),
  }),
  conflicts: recordForm({
    ask: isText,
    strategy: allowNull(STRATEGY_TREE),
    claims: listForm(CLAIMS),
  }),
  compose: recordForm({
    ask: isText,
    key: isText,
    strategy: allowNull(STRATEGY_TREE),
    parts: listForm(
      recordForm({
        base: TEXT,
        now: TEXT,
        since: listForm(SINCE),
        deltas: allowNull(DELTAS),
        claims: CLAIMS,
        steps: STEPS,
      }),
    ),
    project: listForm(recordForm({ ...TEXT_MEMBERS, 'was?': isText })),
  }),
  undo: recordForm({
    ask: isText,
    key: isText,
    parts: listForm(recordForm({ now: TEXT, past: listForm(PAST), seq: isCount })),
    project: listForm(TEXT),
  }),
  merge: recordForm({
    ask: isText,
    key: isText,
    parts: listForm(recordForm({ base: TEXT, ours: TEXT, theirs: TEXT })),
    project: listForm(TEXT),
  }),
  compare: recordForm({ ask: isText, before: allowNull(TEXT), after: allowNull(TEXT) }),
})

export function parseRequest(value: unknown): Result<DeskRequest, DeskProblem> {
  const problem = REQUEST(value, '')
  return problem === null
    ? ok(value as DeskRequest)
    : err({ code: 'REQUEST_INVALID', detail: `the request is none: see \`${problem}\`` })
}
