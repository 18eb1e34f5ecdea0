/** Puts a member into a container, in the style of the members that are there. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { dedent, detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Delta } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { placeMember } from './place-member.ts'
import type { Plan, PlanResult } from './plan.ts'
import { planFragment } from './plan-fragment.ts'
import { findAnchor, findSiblings } from './siblings.ts'

export function planAddMember(
  parsed: ParsedText,
  { target, fragment, at }: Extract<Delta, { op: 'addMember' }>,
  format: Format,
): PlanResult {
  if (fragment.length > ARTIFACT_LIMITS.fragmentBytes)
    return err({
      code: 'FRAGMENT_INVALID',
      detail: `a fragment has at most ${ARTIFACT_LIMITS.fragmentBytes} characters`,
    })
  const siblings = findSiblings(parsed, target)
  if (!siblings.ok) return siblings
  const index = findAnchor(siblings.value, at)
  if (!index.ok) return index
  const place = placeMember(parsed.text, siblings.value, index.value)
  const style = { indent: place.indent, lineBreak: detectLineBreak(parsed.text) }
  const finish = (text: string): PlanResult =>
    finishPlan(parsed, place.build(text), format, { around: target })
  const planned = planFragment(
    dedent(fragment, format.indentation === 'syntax'),
    finish,
    style,
    format,
  )
  return planned.ok ? checkAdded(siblings.value.children, planned.value, target) : planned
}

/** At least one member more, and none whose name somebody has. */
function checkAdded(before: readonly SymbolNode[], plan: Plan, target: string): PlanResult {
  const now = findSiblings(plan.after, target)
  if (!now.ok) return err({ code: 'FRAGMENT_REACHES_OUT', detail: 'its container is gone' })
  const put = listPutSpans(plan.splices)
  const added = now.value.children.filter(({ own }) => put.some((span) => isInside(own, span)))
  if (added.length === 0)
    return err({ code: 'FRAGMENT_INVALID', detail: 'the fragment is no member of its target' })
  const taken = added.find(
    (one) => !isRepeatable(one) && before.some((old) => isSameName(one, old)),
  )
  if (taken === undefined) return { ok: true, value: plan }
  return err({ code: 'NAME_TAKEN', detail: `there is a ${taken.kind} \`${taken.name}\` already` })
}

function isSameName(one: SymbolNode, other: SymbolNode): boolean {
  return one.kind === other.kind && one.name === other.name
}

/** What has no name of its own may be there more than once. */
function isRepeatable({ kind }: SymbolNode): boolean {
  return ['statement', 'import', 'export', 'export_all', 'index', 'item', 'spread'].includes(kind)
}
