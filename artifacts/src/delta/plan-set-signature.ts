/**
 * Gives a symbol another header: everything of it but its body or its members. The body stays as it is, byte for byte, and the name stays:
 * another name is a rename, which has to find all who use it.
 */
import { err } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { dedent, detectLineBreak, readIndentAt } from '../text/lines.ts'
import { listPutSpans, moveSpan } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { Delta } from './delta.ts'
import { finishPlan } from './finish-plan.ts'
import { checkFragmentLength } from './fragment-length.ts'
import type { Plan, PlanResult } from './plan.ts'
import { planFragment } from './plan-fragment.ts'

export function planSetSignature(
  parsed: ParsedText,
  { target, fragment }: Extract<Delta, { op: 'setSignature' }>,
  format: Format,
): PlanResult {
  const tooLong = checkFragmentLength(fragment)
  if (tooLong !== null) return err(tooLong)
  const found = findSymbol(parsed, target)
  if (!found.ok) return found
  const symbol = found.value
  const { path, kind } = symbol
  if (format.type !== 'code' || WITHOUT_HEADER.has(kind))
    return err({ code: 'TARGET_UNFIT', detail: `\`${path}\` has no signature` })
  const { header, sign } = findHeader(parsed, symbol)
  const text = stripSign(dedent(fragment, false).trim(), sign)
  if (text === '') return err({ code: 'FRAGMENT_INVALID', detail: 'the fragment is empty' })
  const style = {
    indent: readIndentAt(parsed.text, symbol.own.start),
    lineBreak: detectLineBreak(parsed.text),
  }
  const meant = { around: path, before: [path], after: [path] }
  const planned = planFragment(
    text,
    (put) => finishPlan(parsed, [{ ...header, text: put }], format, meant),
    style,
    format,
  )
  if (planned.ok) return checkSymbol(symbol, planned.value)
  const { code, detail } = planned.error
  const hint = `${detail}; a header keeps kind and name, another name is a \`rename\``
  return code === 'FRAGMENT_REACHES_OUT' ? err({ ...planned.error, detail: hint }) : planned
}

const WITHOUT_HEADER: ReadonlySet<string> = new Set([
  'statement',
  'directive',
  'import',
  'export',
  'export_all',
  'static_block',
  'spread',
  'default',
])

type Sign = '=>' | '=' | ';' | ''

/** Up to the sign before the body, which belongs to neither; where there is no body, up to the semicolon. */
function findHeader(
  { text }: ParsedText,
  { own, body, container }: SymbolNode,
): { readonly header: Span; readonly sign: Sign } {
  const behind = body?.start ?? (container === null ? own.end : container.inside.start - 1)
  const before = text.slice(own.start, behind).trimEnd()
  const sign = (['=>', '=', ';'] as const).find((one) => before.endsWith(one)) ?? ''
  const kept = before.slice(0, before.length - sign.length).trimEnd()
  return { header: { start: own.start, end: own.start + kept.length }, sign }
}

/** Whoever writes a header may end it with the sign or without it. */
function stripSign(fragment: string, sign: Sign): string {
  return sign !== '' && fragment.endsWith(sign)
    ? fragment.slice(0, -sign.length).trimEnd()
    : fragment
}

/** It is the same symbol with the same body, or members at the same place. */
function checkSymbol(symbol: SymbolNode, plan: Plan): PlanResult {
  const { path, kind, name, body, container, own } = symbol
  const found = findSymbol(plan.after, path)
  if (!found.ok)
    return err({
      code: 'FRAGMENT_INVALID',
      detail: `the fragment is no header of the ${kind} \`${name}\``,
    })
  const isSame = (one: Span | null, other: Span | null): boolean => {
    if (one === null || other === null) return one === other
    const { start, end } = moveSpan(one, plan.splices)
    return start === other.start && end === other.end
  }
  const now = found.value
  const put = listPutSpans(plan.splices)
  const isAlone = listSymbolsIn(plan.after.symbols, put).every((one) => one.path === path)
  const isKept =
    isAlone &&
    isSame(body, now.body) &&
    isSame(container?.inside ?? null, now.container?.inside ?? null) &&
    moveSpan(own, plan.splices).end === now.own.end
  if (isKept) return { ok: true, value: plan }
  return err({
    code: 'FRAGMENT_REACHES_OUT',
    detail: `the fragment is more than the header of \`${path}\``,
  })
}

function listSymbolsIn(
  symbols: readonly SymbolNode[],
  spans: readonly Span[],
): readonly SymbolNode[] {
  return symbols.flatMap((symbol) =>
    spans.some((span) => isInside(symbol.own, span))
      ? [symbol]
      : listSymbolsIn(symbol.children, spans),
  )
}
