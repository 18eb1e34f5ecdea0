/** Plans a delta, or says why it cannot be done. Nothing is changed: a plan is data. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Delta } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import type { PlanResult } from './plan.ts'
import { planAddMember } from './plan-add-member.ts'
import { planRemove } from './plan-remove.ts'
import { planRename } from './plan-rename.ts'

export function planDelta(parsed: ParsedText, delta: Delta, format: Format): PlanResult {
  switch (delta.op) {
    case 'addMember':
      return planAddMember(parsed, delta, format)
    case 'remove':
    case 'removeKey':
      return planRemove(parsed, delta, format)
    case 'rename':
      return planRename(parsed, delta, format)
    case 'replaceBody':
      return planReplaceBody(parsed, delta, format)
    default:
      return err({ code: 'TARGET_UNFIT', detail: `\`${delta.op}\` cannot be done here` })
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
  return finishPlan(parsed, [{ ...body, text: fragment.trim() }], format, { around: path })
}
