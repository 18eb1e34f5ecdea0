/** Plans a delta, or says why it cannot be done. Nothing is changed: a plan is data. */
import { err, ok } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { checkSchema, type JudgeValue } from './check-schema.ts'
import type { Delta } from './delta.ts'
import { findDangling } from './find-dangling.ts'
import { finishPlan } from './finish-plan.ts'
import { planAddImport } from './imports/plan-add-import.ts'
import { indentTokens } from './indent-fragment.ts'
import type { Plan, PlanResult } from './plan.ts'
import { planAddMember } from './plan-add-member.ts'
import { planMove } from './plan-move.ts'
import { planRemove } from './plan-remove.ts'
import { planRename } from './plan-rename.ts'
import { planAddSection, planReplaceSection, planReplaceText } from './plan-section.ts'
import { planSetSignature } from './plan-set-signature.ts'
import { planRemoveKey, planSetValue } from './plan-set-value.ts'

/** What nothing that is left refers to may go. `judge`: of an artifact with a schema, what its value has to be. */
export function planDelta(
  parsed: ParsedText,
  delta: Delta,
  format: Format,
  judge?: JudgeValue,
): PlanResult {
  const planned = planStep(parsed, delta, format)
  if (!planned.ok) return planned
  const dangling = findDangling(parsed, planned.value, format)
  if (dangling !== null) return err(dangling)
  return judge === undefined ? planned : checkSchema(planned, format, judge)
}

/** Of a list: what one delta leaves behind without a meaning, a later one may take away. */
export function planStep(parsed: ParsedText, delta: Delta, format: Format): PlanResult {
  if (format.isReadOnly === true)
    return err({
      code: 'TARGET_READ_ONLY',
      detail: 'what is installed, or locked, is changed by the tool that installs it',
    })
  switch (delta.op) {
    case 'addMember':
      return format.type === 'spec'
        ? planAddSection(parsed, delta, format)
        : planAddMember(parsed, delta, format)
    case 'remove':
      return format.values === undefined
        ? planRemove(parsed, delta, format)
        : planRemoveKey(parsed, delta, format)
    case 'removeKey':
      return planRemoveKey(parsed, delta, format)
    case 'rename':
      return planRename(parsed, delta, format)
    case 'setValue':
      return planSetValue(parsed, delta, format)
    case 'replaceBody':
      return format.type === 'spec'
        ? planReplaceText(parsed, delta, format)
        : planReplaceBody(parsed, delta, format)
    case 'addImport':
      return planAddImport(parsed, delta, format)
    case 'move':
      return planMove(parsed, delta, format)
    case 'setSignature':
      return planSetSignature(parsed, delta, format)
    case 'addSection':
    case 'replaceSection':
      return planSection(parsed, delta, format)
    case 'putBinary':
      return err({ code: 'TARGET_UNFIT', detail: 'it is a text: its symbols are changed' })
  }
}

function planReplaceBody(
  parsed: ParsedText,
  { target, fragment }: Extract<Delta, { op: 'replaceBody' }>,
  format: Format,
): PlanResult {
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const { body, path } = found.value
  if (body === null) return err({ code: 'TARGET_UNFIT', detail: `\`${path}\` has no body` })
  const finish = (text: string): PlanResult => {
    const planned = finishPlan(parsed, [{ ...body, text }], format, { around: path })
    return planned.ok ? checkBody(planned.value, path) : planned
  }
  const text = fragment.trim().replaceAll('\r\n', '\n')
  const first = finish(text)
  const lineBreak = detectLineBreak(parsed.text)
  if (!first.ok || lineBreak === '\n' || !text.includes('\n')) return first
  // Only where the text is parsed is it known which of its line breaks are white space.
  const put = { start: body.start, end: body.start + text.length }
  return finish(indentTokens(text, first.value.after, put, { indent: '', lineBreak }))
}

/** A fragment is the body, all of it: what ends the symbol and goes on behind it is a member that nobody asked for. */
function checkBody(plan: Plan, path: string): PlanResult {
  const found = findSymbol(plan.after, path)
  const body = found.ok ? found.value.body : null
  const tokens = listPutSpans(plan.splices).flatMap((put) =>
    listTokens(plan.after, put, body ?? { start: 0, end: 0 }),
  )
  if (body !== null && tokens.length === 0) return ok(plan)
  return err({
    code: 'FRAGMENT_REACHES_OUT',
    detail: `the fragment is more than the body of \`${path}\``,
  })
}

function planSection(
  parsed: ParsedText,
  delta: Extract<Delta, { op: 'addSection' | 'replaceSection' }>,
  format: Format,
): PlanResult {
  if (format.type !== 'spec')
    return err({ code: 'TARGET_UNFIT', detail: `a text of ${format.media} has no sections` })
  return delta.op === 'addSection'
    ? planAddSection(parsed, delta, format)
    : planReplaceSection(parsed, delta, format)
}
