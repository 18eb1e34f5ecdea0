/**
 * A request as somebody reads it before they decide: what would be different, why they are asked, the
 * facts with their age, budgets; and apart from all that, last, what the agent says.
 */

import type {
  BriefEffect,
  BriefFact,
  EscalationBrief,
  JudgedModification,
  Outlook,
  Why,
} from 'rubicon-agents/client'
import { formatAmounts, type JsonValue } from 'rubicon-kernel'
import { escapeText } from '../escape-text.ts'
import type { Output } from '../output.ts'
import { formatDuration } from '../span-text.ts'
import { formatFigure, formatValue, formatWholeFigure, formatWholeText } from './value-text.ts'

type Row = readonly [name: string, text: string]

/** What would run instead of what was asked. */
export function describeModification(out: Output, judged: JudgedModification): void {
  describeImpact(out, judged)
  show(out, [...buildEffectRows(judged.effect), ...buildOutlookRows(judged.outlook)])
}

type Weighed = Pick<EscalationBrief, 'impact' | 'impact_reasons' | 'exposure'>

function describeImpact(out: Output, { impact, impact_reasons, exposure }: Weighed): void {
  const stakes =
    exposure === null
      ? ''
      : `, at stake ${formatFigure(exposure.value)} ${formatValue(exposure.measure)}`
  const head = `${impact} ${impact_reasons.map(formatValue).join(' ')}`.trimEnd()
  out.line(`${out.paint(impact === 'HIGH_IMPACT' ? 'red' : 'amber', `▌ ${head}`)}${stakes}`)
}

export function describeBrief(out: Output, brief: EscalationBrief): void {
  const { agent_id, action, kind, object, id } = brief
  describeImpact(out, brief)
  const what = escapeText(`${action ?? kind} ${object ?? ''}`).trimEnd()
  out.line(`${out.paint('bold', what)}  of ${escapeText(agent_id)}  ${id}`)
  const rows = [
    ...buildEffectRows(brief.effect),
    ...buildReasonRows(brief),
    ...buildFactRows(brief),
  ]
  show(out, [
    ...rows,
    ...buildBudgetRows(brief),
    ...buildHistoryRows(brief),
    ...buildTimeRows(brief),
  ])
  out.line(out.paint('grey', '  what the agent says; it decides nothing'))
  show(
    out,
    claimRows(brief).map(([name, text]) => [`│ ${name}`, text]),
  )
}

function show(out: Output, rows: readonly Row[]): void {
  for (const [name, text] of rows) out.line(`  ${out.paint('grey', name.padEnd(10))} ${text}`)
}

function buildEffectRows(effect: BriefEffect | null): readonly Row[] {
  if (effect === null) return [['effect', 'nothing runs: the agent goes on with its flow']]
  const { changes, params, holds } = effect
  return [
    ...changeRows(changes),
    // Beside what a capability says of them: it may say nothing of some.
    ...listSentRows(params),
    ...holds.map(({ id, amount }): Row => ['holds', formatValue(`${id} ${amount}`)]),
  ]
}

function changeRows(changes: BriefEffect['changes']): readonly Row[] {
  if (changes === null) return [['effect', 'nobody can tell what would be different']]
  if (changes.length === 0) return [['effect', 'nothing that is known would be different']]
  return changes.map(({ subject, field, before, after, unit }): Row => {
    const moved = `${formatWholeFigure(parseValue(before))} → ${formatWholeFigure(parseValue(after))}`
    return [
      'effect',
      `${escapeText(`${subject} ${field}`)}  ${moved} ${formatValue(unit ?? '')}`.trimEnd(),
    ]
  })
}

/** One a line, whole: a row of several could be read as others. */
function listSentRows(params: BriefEffect['params']): readonly Row[] {
  return Object.entries(params).map(([name, value]) => [
    'sends',
    `${formatWholeText(name)} ${formatWholeText(parseValue(value))}`,
  ])
}

/** From an answer in JSON; what is not there is null. */
function parseValue(value: unknown): JsonValue {
  return (value ?? null) as JsonValue
}

function buildReasonRows({ why, outlook }: EscalationBrief): readonly Row[] {
  const asked = why.map(
    (one): Row => ['why you', `${one.domain_code ?? one.code} ${describeReason(one)}`],
  )
  return outlook === null ? asked : [...asked, ...buildOutlookRows(outlook)]
}

function buildOutlookRows({ kind, code = '' }: Outlook): readonly Row[] {
  const words = {
    runs: 'it runs, on the facts of now',
    refused: 'it would be refused',
    asks_again: 'it would ask again',
  }
  return [['on a yes', `${words[kind]} ${code}`.trimEnd()]]
}

/** What was computed stands beside what is allowed. */
function describeReason({ means, details }: Why): string {
  const { checked, value, min, max, limit, amounts, ...rest } = details
  const short = formatAmounts({ amounts })
  const bounds = [
    ...(short === '' ? [] : [formatValue(short)]),
    ...(checked === undefined ? [] : [`${formatValue(checked)} computed ${formatFigure(value)}`]),
    ...(max === undefined ? [] : [`at most ${formatFigure(max)}`]),
    ...(min === undefined ? [] : [`at least ${formatFigure(min)}`]),
    ...(limit === undefined ? [] : [`limit ${formatValue(limit)}`]),
    ...Object.entries(rest).map(([name, other]) => `${formatValue(name)} ${formatValue(other)}`),
  ]
  return bounds.length === 0 ? means : `${means}: ${bounds.join(', ')}`
}

function buildFactRows({ facts, now }: EscalationBrief): readonly Row[] {
  if (facts.length === 0) return [['fact', 'it reads none']]
  return facts.map((fact) => ['fact', formatFact(fact, now)])
}

function formatFact(fact: BriefFact, now: string): string {
  const { name, source, label, layer, version, observed_at, was, is, moved } = fact
  const age = layer === 'world' ? `version ${version}` : formatAge(observed_at, now)
  const from = moved ? `⚠ moved ${formatFigure(was)} → ` : ''
  return `${formatValue(name)} = ${from}${formatFigure(is)} (${formatValue(source)}, ${label}, ${age})`
}

function buildBudgetRows({ budgets, asked_this_hour: asked }: EscalationBrief): readonly Row[] {
  const spent = budgets.map(({ measure, granted, used, after, until }): Row => {
    const then = after === null ? '' : ` → ${formatFigure(after)}`
    const window = until === null ? '' : `, of the agent until ${until}`
    const text = `${formatValue(measure)} ${formatFigure(used)}${then} of ${formatFigure(granted)}`
    return ['budget', `${text}${window}`]
  })
  if (asked === null) return spent
  return [...spent, ['budget', `people asked ${asked.asked} of ${asked.of} times this hour`]]
}

function buildHistoryRows({ before, decisions, comments }: EscalationBrief): readonly Row[] {
  const words = ['overridden', 'modified', 'aborted', 'expired'] as const
  const counted = words.filter((word) => before[word] > 0).map((word) => `${before[word]} ${word}`)
  const past =
    counted.length === 0 ? 'none like this in 30 days' : `${counted.join(', ')} in 30 days`
  const so_far = decisions.map(({ approver, decision, justification }): Row => {
    return ['decided', `${decision} by ${formatValue(approver)}: ${formatValue(justification)}`]
  })
  const talk = comments.map(({ at, by, text }): Row => {
    return ['comment', `${formatValue(by)} at ${at}: ${formatValue(text)}`]
  })
  return [['before', past], ...so_far, ...talk]
}

function buildTimeRows(brief: EscalationBrief): readonly Row[] {
  const { now, not_before, expires_at, needs, ended, state, acknowledge, may, binds } = brief
  const { claimed } = brief
  const digest: Row = ['runs as', binds.intent_digest]
  if (ended !== null) return [digest, ['ended', `${ended.as} ${ended.at}`]]
  const left = Date.parse(expires_at) - Date.parse(now)
  const early = Date.parse(not_before) - Date.parse(now)
  return [
    digest,
    ['expires', `${expires_at}, in ${formatDuration(left)}; ${state}, ${needs} to approve`],
    ...(claimed === null ? [] : [['with', describeHolder(claimed)] as const]),
    ...(early > 0 ? [['read it', `it can be approved in ${formatDuration(early)}`] as const] : []),
    ...(acknowledge === null ? [] : [['to type', formatValue(acknowledge)] as const]),
    ...(may.OVERRIDE === null ? [] : [['you', `may not approve it: ${may.OVERRIDE}`] as const]),
  ]
}

function describeHolder({ by, since, given_by }: NonNullable<EscalationBrief['claimed']>): string {
  const given = given_by === undefined ? '' : `, given by ${formatValue(given_by)}`
  return `${formatValue(by)} since ${since}${given}`
}

function claimRows({ claims }: EscalationBrief): readonly Row[] {
  const { trigger, justification, confidence, explanation, asks } = claims
  const said: readonly (readonly [string, string | null | undefined])[] = [
    ['asks', asks],
    ['because', justification],
    ['explains', explanation?.narrative],
    ['signals', explanation?.identified_signals.join('; ')],
    ['risks', explanation?.risks.join('; ')],
    ['certain', confidence],
    ['woken by', trigger],
  ]
  return said.flatMap(([name, text]) =>
    text === null || text === undefined || text === '' ? [] : [[name, formatValue(text)] as const],
  )
}

function formatAge(at: string | null, now: string): string {
  return at === null ? 'of unknown age' : `${formatDuration(Date.parse(now) - Date.parse(at))} old`
}
