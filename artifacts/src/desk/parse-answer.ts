/** Reads an answer that came from another process: one that was led to say something else is not believed. */
import { err, ok, type Result } from 'rubicon-kernel'
import type { DeskAnswers, DeskAnswerTo, DeskProblem } from './desk-answer.ts'
import type { DeskRequest } from './desk-request.ts'
import {
  allowNull,
  allowWords,
  type Form,
  isAny,
  isCount,
  isText,
  listForm,
  recordForm,
} from './form.ts'
import { CLAIMS, SPLICES, STEPS } from './shared-forms.ts'

const LINES = listForm(isCount)
const TEXTS = listForm(isText)

const SYMBOL = recordForm({
  path: isText,
  kind: isText,
  name: isText,
  lines: LINES,
  definition_hash: isText,
  order: allowWords('free', 'fixed'),
  children: isCount,
})

const CHANGES = listForm(
  recordForm({
    artifact: isText,
    base: isText,
    before: isText,
    after: isText,
    steps: STEPS,
    splices: SPLICES,
    deltas: allowNull(listForm(isAny)),
    claims: CLAIMS,
    symbols: TEXTS,
    written: TEXTS,
  }),
)

const DIFFERENT = listForm(
  recordForm({ path: isText, kind: isText, was: allowNull(isText), parts: TEXTS, lines: LINES }),
)

const PATH = TEXTS

const ANSWERS: Readonly<Record<keyof DeskAnswers, Form>> = {
  symbols: recordForm({ symbols: listForm(SYMBOL) }),
  slice: recordForm({
    text: isText,
    lines: LINES,
    definition_hash: allowNull(isText),
    content_hash: isText,
  }),
  plan: recordForm({ changes: CHANGES }),
  conflicts: recordForm({
    problems: listForm(
      recordForm({
        kind: isText,
        between: TEXTS,
        artifact: isText,
        path: PATH,
        claims: listForm(recordForm({ key: isText, claim: isText, path: PATH })),
        fixes: listForm(isAny),
      }),
    ),
  }),
  compose: recordForm({ changes: CHANGES }),
  undo: recordForm({ changes: CHANGES }),
  merge: recordForm({
    changes: CHANGES,
    conflicts: listForm(
      recordForm({ kind: isText, path: isText, reason: isText, artifact: isText }),
    ),
  }),
  compare: recordForm({
    by: allowWords('symbols', 'lines'),
    added: DIFFERENT,
    removed: DIFFERENT,
    changed: DIFFERENT,
    renamed: DIFFERENT,
    moved: DIFFERENT,
    lines: listForm(recordForm({ from: isCount, to: isCount, removed: TEXTS, added: TEXTS })),
  }),
}

const PROBLEM = recordForm({
  code: isText,
  'artifact?': isText,
  detail: isText,
  'at?': allowNull(recordForm({ line: isCount, column: isCount })),
  'candidates?': TEXTS,
  'fixes?': listForm(isAny),
  'index?': isCount,
})

const isFlag: Form = (value, at) => (typeof value === 'boolean' ? null : at)

export function parseAnswer<R extends DeskRequest>(
  { ask }: R,
  value: unknown,
): Result<DeskAnswerTo<R>, DeskProblem> {
  const refused = recordForm({ ok: isFlag, error: PROBLEM })
  const answered = recordForm({ ok: isFlag, value: ANSWERS[ask] })
  if (isTold(value, false) && refused(value, '') === null)
    return err((value as { readonly error: DeskProblem }).error)
  const problem = isTold(value, true) ? answered(value, '') : '/ok'
  return problem === null
    ? ok((value as { readonly value: DeskAnswerTo<R> }).value)
    : err({ code: 'DESK_FAILED', detail: `the answer is none: see \`${problem}\`` })
}

function isTold(value: unknown, isGood: boolean): boolean {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === isGood
}
