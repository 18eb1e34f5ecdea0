/** What happens in a dev session, one line each, for whoever reads it at a terminal. */
import { type Output, SYMBOLS } from '../output.ts'
import type { DevEvent } from './dev-session.ts'
import type { DevProblem } from './worker-messages.ts'

/** Changes that are named; more of them are counted. */
const NAMED = 3

const OUTCOME_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['ACCEPTED', SYMBOLS.allowed],
  ['REJECTED', SYMBOLS.rejected],
  ['ESCALATED', SYMBOLS.waiting],
  ['REPEATED', SYMBOLS.repeated],
])

export function formatEvent(event: DevEvent, out: Output): readonly string[] {
  const symbol = out.symbol
  switch (event.kind) {
    case 'serving':
      return []
    case 'contract': {
      const { name, version, changes } = event
      const told = `contract ${name} ${version} deployed${formatChanges(changes)}`
      return [`${symbol(SYMBOLS.allowed)} ${told}`]
    }
    case 'monitor':
      return [
        `${symbol(SYMBOLS.allowed)} monitor ${event.name} deployed${formatChanges(event.changes)}`,
      ]
    case 'reloaded': {
      const told = event.changes.length === 0 ? ': the code is new, the rules are the same' : ''
      return [`${symbol(SYMBOLS.allowed)} rules reloaded${told}${formatChanges(event.changes)}`]
    }
    case 'problem': {
      const { problems, keeps } = event
      const end = keeps ? '; the last good version stays in force' : '; it is not in force'
      return problems.map(
        (one, at) =>
          `${symbol(SYMBOLS.rejected)} ${formatPlace(one)}${at === problems.length - 1 ? end : ''}`,
      )
    }
    case 'warning':
      return [`${symbol(SYMBOLS.waiting)} ${event.text}`]
    case 'decision': {
      const { agent, outcome, reason_code, flow } = event
      const mark = symbol(OUTCOME_SYMBOLS.get(outcome) ?? SYMBOLS.info)
      const code = reason_code === null ? '' : ` ${reason_code}`
      return [`${mark} ${agent}: ${outcome.toLowerCase()}${code}  ${out.paint('grey', flow)}`]
    }
    case 'waiting':
      return [
        `${symbol(SYMBOLS.waiting)} ${event.agent}: ${event.about.replaceAll('_', ' ')} ${event.reason_code}; look at the Inbox`,
      ]
    case 'repaired':
      return [`${symbol(SYMBOLS.allowed)} ${event.file} is repaired; it is what is in force`]
    case 'reset':
      return [`${symbol(SYMBOLS.allowed)} the dev store is deleted; everything begins anew`]
    case 'printed':
      return [`${symbol(SYMBOLS.step)} ${event.line}`]
  }
}

function formatChanges(changes: readonly string[]): string {
  if (changes.length === 0) return ''
  const more = changes.length - NAMED
  return `: ${changes.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/** `policy.cedar:12: …`, which editors can follow. */
export function formatPlace({ file, line, detail }: DevProblem): string {
  return `${file}${line === null ? '' : `:${line}`}: ${detail}`
}
