import type { Started } from './engine/engine-options.ts'
import { rulesLines } from './engine/rules/rules-lines.ts'

/** What whoever starts a runtime should know: rules that are not in force, and what the store had lost. */
export function startedLines(
  { rules, restored }: Pick<Started, 'rules' | 'restored'>,
  agreeing: Parameters<typeof rulesLines>[1],
): readonly string[] {
  const lines = rulesLines(rules, agreeing)
  if (restored === null) return lines
  const lost = `the store had lost its checkpoint of ${restored.size} entries`
  const who = 'unless a process ended while it made it, somebody took it out'
  return [...lines, `STORE_DIVERGED: ${lost}: it was put back from where it is kept; ${who}`]
}
