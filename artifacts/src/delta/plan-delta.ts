/** Plans a delta, or says why it cannot be done. Nothing is changed: a plan is data. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Delta } from './delta.ts'
import { findDangling } from './find-dangling.ts'
import { finishPlan } from './finish-plan.ts'
import { planAddImport } from './imports/plan-add-import.ts'
import type { PlanResult } from './plan.ts'
import { planAddMember } from './plan-add-member.ts'
import { planMove } from './plan-move.ts'
import { planRemove } from './plan-remove.ts'
import { planRename } from './plan-rename.ts'
import { planSetSignature } from './plan-set-signature.ts'

/** What nothing that is left refers to may go. */
export function planDelta(parsed: ParsedText, delta: Delta, format: Format): PlanResult {
  const planned = planStep(parsed, delta, format)
  if (!planned.ok) return planned
  const dangling = findDangling(parsed, planned.value, format)
  return dangling === null ? planned : err(dangling)
}

/** Of a list: what one delta leaves behind without a meaning, a later one may take away. */
export function planStep(parsed: ParsedText, delta: Delta, format: Format): PlanResult {
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
    case 'addImport':
      return planAddImport(parsed, delta, format)
    case 'move':
      return planMove(parsed, delta, format)
    case 'setSignature':
      return planSetSignature(parsed, delta, format)
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
