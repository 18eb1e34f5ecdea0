/** Of a refusal for want of budget: what was asked, what is left, of how much. Written a second time. */
import type { CompileInput, ReasonCode } from 'rubicon-kernel'
import { sum, type Units } from './early-stages.ts'
import { toMinorUnits } from './exact.ts'
import { createFactView } from './late-stages.ts'

type Row = { readonly measure: string; readonly granted: unknown; readonly used: unknown }

/** `usd asked 1 left 0.5 limit 10 USD` for each measure, in order; undefined of other codes. */
export function describeShortfall(input: CompileInput, code: ReasonCode): string | undefined {
  if (code !== 'BUDGET_EXCEEDED' && code !== 'BUDGET_EXCEEDED_BY_PARAMS') return undefined
  const cost = computeCost(input, code)
  if (cost === null) return ''
  const own = listShortMeasures(listLeafRows(input, cost), cost)
  return (own.length > 0 ? own : listShortMeasures(listWindowRows(input), cost)).sort().join('; ')
}

/** What every such call costs; where parameters were looked at, what they cost besides. */
function computeCost(input: CompileInput, code: ReasonCode): Units | null {
  const law = input.rules.capability(input.proposal.policy_kind)
  if (law === undefined) return null
  const always = law.description.cost
  return code === 'BUDGET_EXCEEDED'
    ? sum(always)
    : sum(always, law.cost(input.proposal.params, createFactView(input)))
}

function listLeafRows({ facts, writs }: CompileInput, cost: Units): readonly Row[] {
  const rows = facts.value.budgets.filter(({ writ }) => writ === writs[0]?.id)
  const ungranted = [...cost.keys()].filter((name) => !rows.some((row) => row.measure === name))
  return [...rows, ...ungranted.map((measure) => ({ measure, granted: '0', used: '0' }))]
}

function listWindowRows({ facts, contract }: CompileInput): readonly Row[] {
  const rule = contract?.safety_rules.budget_per_agent ?? {}
  const used = new Map(Object.entries(facts.value.agent_window?.used ?? {}))
  return Object.entries(rule)
    .filter(([measure]) => measure !== 'window_s')
    .map(([measure, granted]) => ({ measure, granted, used: used.get(measure) }))
}

function listShortMeasures(rows: readonly Row[], cost: Units): string[] {
  const told = new Map<string, string>()
  for (const { measure, granted, used } of rows) {
    const asked = cost.get(measure) ?? 0n
    const [limit, spent] = [toMinorUnits(measure, granted), toMinorUnits(measure, used)]
    const fits = limit !== null && spent !== null && spent + asked <= limit
    if (fits || told.has(measure)) continue
    const left = limit === null || spent === null ? null : limit > spent ? limit - spent : 0n
    const [a, b, c] = [asked, left, limit].map((units) => formatMinorUnits(measure, units))
    told.set(measure, `${measure} asked ${a} left ${b} limit ${c} ${getUnit(measure)}`)
  }
  return [...told.values()]
}

const WHOLE = ['calls', 'tokens', 'wall_ms']

function formatMinorUnits(measure: string, units: bigint | null): string {
  if (units === null || WHOLE.includes(measure)) return String(units)
  const digits = String(units).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

function getUnit(measure: string): string {
  if (measure === 'usd') return 'USD'
  return measure === 'wall_ms' ? 'ms' : measure
}
