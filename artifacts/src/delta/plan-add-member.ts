/** Puts a member into a container, in the style of the members that are there. */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { dedent, detectLineBreak } from '../text/lines.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { checkFragmentLength } from './fragment-length.ts'
import { listImported, readImports } from './imports/read-imports.ts'
import { isDeclared, isNameTaken } from './name-taken.ts'
import { placeMember } from './place-member.ts'
import type { Plan, PlanResult } from './plan.ts'
import { planFragment } from './plan-fragment.ts'
import { findAnchor, findSiblings } from './siblings.ts'

export function planAddMember(
  parsed: ParsedText,
  { target, fragment, at }: Extract<Delta, { op: 'addMember' }>,
  format: Format,
): PlanResult {
  const tooLong = checkFragmentLength(fragment)
  if (tooLong !== null) return err(tooLong)
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
  return planned.ok ? checkAdded(parsed, planned.value, target) : planned
}

/** At least one member more, and none whose name somebody has. */
function checkAdded(parsed: ParsedText, plan: Plan, target: string): PlanResult {
  const before = findSiblings(parsed, target)
  const now = findSiblings(plan.after, target)
  if (!before.ok || !now.ok)
    return err({ code: 'FRAGMENT_REACHES_OUT', detail: 'its container is gone' })
  const put = listPutSpans(plan.splices)
  const added = now.value.children.filter(({ own }) => put.some((span) => isInside(own, span)))
  if (added.length === 0)
    return err({ code: 'FRAGMENT_INVALID', detail: 'the fragment is no member of its target' })
  const taken = findTaken(added, before.value.children) ?? findImported(parsed, added, target)
  return taken === null ? { ok: true, value: plan } : err({ code: 'NAME_TAKEN', detail: taken })
}

function findTaken(added: readonly SymbolNode[], before: readonly SymbolNode[]): string | null {
  const known = new Map(before.map((symbol) => [symbol.name, [] as SymbolNode[]]))
  for (const symbol of before) known.get(symbol.name)?.push(symbol)
  for (const one of added) {
    const other = known.get(one.name)?.find((old) => isNameTaken(one, old))
    if (other !== undefined) return `there is a ${other.kind} \`${other.name}\` already`
  }
  return null
}

function findImported(
  parsed: ParsedText,
  added: readonly SymbolNode[],
  target: string,
): string | null {
  if (target !== ROOT) return null
  for (const declaration of readImports(parsed))
    for (const { local } of listImported(declaration))
      if (added.some((one) => one.name === local && isDeclared(one)))
        return `\`${local}\` is imported from \`${declaration.from}\``
  return null
}
