/**
 * What each rule had to do with the last decisions, as a tint, a word and a number: a rule that never
 * decided anything may be one that never will.
 */
import type { ReactNode } from 'react'
import type { RuleCoverage } from 'rubicon-agents/client'
import { type Standing, Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { describeCoverage } from './coverage.ts'
import type { LastTrial } from './use-last-tried.ts'
import './rule-coverage-list.css'

export function RuleCoverageList({
  tried: { latest, size, reply },
  concerns,
  goTo,
}: {
  readonly tried: LastTrial
  readonly concerns: (rule: RuleCoverage) => boolean
  /** Shows a line of the text. */
  readonly goTo?: (line: number) => void
}): ReactNode {
  const rules = latest?.coverage.filter(concerns) ?? []
  if (rules.length === 0) return null
  return (
    <section className="stack" aria-label="coverage" aria-busy={reply.state === 'loading'}>
      <h3>What each rule did in the last {size} decisions</h3>
      <ul className="coverage">
        {rules.map((rule) => (
          <Rule key={`${rule.policy} ${rule.rule}`} rule={rule} goTo={goTo} />
        ))}
      </ul>
    </section>
  )
}

function Rule({
  rule,
  goTo,
}: {
  readonly rule: RuleCoverage
  readonly goTo: ((line: number) => void) | undefined
}): ReactNode {
  const { line } = rule
  const { kind, word, share } = describeCoverage(rule)
  const name = toVisibleText(rule.rule)
  return (
    <li className={`coverage-rule coverage-${kind}`}>
      <span className="coverage-share" style={{ width: `${share}%` }} aria-hidden="true" />
      {line === null || goTo === undefined ? (
        <span className="mono">{name}</span>
      ) : (
        <button type="button" className="plain mono" onClick={() => goTo(line)}>
          {name}
        </button>
      )}
      <Status standing={STANDINGS[kind]} word={word} />
    </li>
  )
}

const STANDINGS: Readonly<Record<ReturnType<typeof describeCoverage>['kind'], Standing>> = {
  erred: 'rejected',
  decided: 'running',
  silent: 'waiting',
  unasked: 'unknown',
}
