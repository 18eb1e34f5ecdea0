import { formatRulesLines } from './engine/authority/rules/rules-lines.ts'
import type { Started } from './engine/create-context.ts'
import { type ClockSkew, describeSkew } from './ports/store-time.ts'

/**
 * What whoever starts a runtime should know: rules that are not in force, a clock that is not believed, and
 * what the store had lost.
 */
export function formatStartLines(
  { rules, restored }: Pick<Started, 'rules' | 'restored'>,
  skew: ClockSkew | null,
  agreeing: Parameters<typeof formatRulesLines>[1],
): readonly string[] {
  const lines = [...formatRulesLines(rules, agreeing), ...formatSkewLines(skew)]
  if (restored === null) return lines
  const lost = `the store had lost its checkpoint of ${restored.size} entries`
  const who = 'unless a process ended while it made it, somebody took it out'
  return [...lines, `STORE_DIVERGED: ${lost}: it was put back from where it is kept; ${who}`]
}

function formatSkewLines(skew: ClockSkew | null): readonly string[] {
  if (skew === null) return []
  return [
    `${describeSkew(skew)}: nothing is begun, nothing expires (CLOCK_SKEW)`,
    'set the clock of this machine; if it is right, stop this and confirm it: `rubicon clock confirm --reason "…"`',
  ]
}
