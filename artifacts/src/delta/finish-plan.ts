/** The last step of every plan: the text behind it is parsed by itself, and holds exactly what the change says. */
import { err, ok } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { applySplices, invertSplices, type Splice, sortSplices } from '../text/splice.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { findCollateral, type Meant } from './find-collateral.ts'
import type { PlanResult } from './plan.ts'

export function finishPlan(
  parsed: ParsedText,
  splices: readonly Splice[],
  format: Format,
  meant: Meant,
): PlanResult {
  const sorted = sortSplices(splices)
  const text = applySplices(parsed.text, sorted)
  if (text === null) return err({ code: 'TARGET_UNFIT', detail: 'parts of the change overlap' })
  const after = format.parse(text)
  if (!after.ok)
    return err({ code: 'FRAGMENT_INVALID', detail: after.error.detail, at: after.error.at })
  const collateral = findCollateral(parsed, sorted, after.value, meant)
  if (collateral !== null) return err({ code: 'FRAGMENT_REACHES_OUT', ...collateral })
  return ok({ splices: sorted, after: after.value, inverse: invertSplices(parsed.text, sorted) })
}
