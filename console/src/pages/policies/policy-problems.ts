/** What is underlined in a policy: what cannot be read, and names that nothing has. */
import type { CheckedPolicy } from 'rubicon-agents/client'
import type { TextProblem } from '../../parts/editor/text-problem.ts'

export function toPolicyProblems(checked: CheckedPolicy | null): readonly TextProblem[] {
  if (checked === null) return []
  const errors = checked.problems.map(({ line, column, detail }) => {
    return { line, column, message: detail, severity: 'error' as const }
  })
  const unknown = checked.unknown.map(({ line, name, why }) => {
    return { line: line ?? 1, column: 1, message: `${name}: ${why}`, severity: 'warning' as const }
  })
  return [...errors, ...unknown]
}
