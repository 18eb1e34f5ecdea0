/** What differs between the rules of two processes, as their author reads it. */
import type { RulesSummary } from './worker-messages.ts'

export function listRulesChanges(before: RulesSummary, after: RulesSummary): readonly string[] {
  return [
    ...compare('capability', before.capabilities, after.capabilities),
    ...compare('policy', before.policies, after.policies),
  ]
}

function compare(
  what: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => {
    if (before[name] === after[name]) return []
    if (before[name] === undefined) return [`${what} \`${name}\` added`]
    return [`${what} \`${name}\` ${after[name] === undefined ? 'gone' : 'changed'}`]
  })
}
