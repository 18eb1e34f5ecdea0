/** What a plan changes, line by line, for whoever has to approve it. It stands in World, so it has a limit; what is cut off says so. */
import type { PlannedChange } from 'rubicon-artifacts/desk'
import { HANDS_LIMITS } from './artifact-limits.ts'
import { toDeskText } from './project-texts.ts'
import { toDeskRefusal } from './refusal.ts'
import type { Workshop } from './workshop.ts'
import type { PlanRow } from './world-values.ts'

export async function buildDifference(
  workshop: Workshop,
  changes: readonly PlannedChange[],
): Promise<readonly PlanRow[]> {
  const rows: PlanRow[] = []
  for (const { artifact, before, after } of changes) {
    const answer = await workshop.desk.ask({
      ask: 'compare',
      before: toDeskText(workshop, artifact, before),
      after: toDeskText(workshop, artifact, after),
    })
    if (!answer.ok) throw toDeskRefusal(answer.error)
    for (const { from, removed, added } of answer.value.lines)
      rows.push({
        artifact,
        lines: `from line ${from}`,
        before: limitText(removed),
        after: limitText(added),
      })
  }
  if (rows.length <= HANDS_LIMITS.previewRows) return rows
  const shown = rows.slice(0, HANDS_LIMITS.previewRows - 1)
  const left = rows.length - shown.length
  const more = `${left} more places are not shown; compare the texts of the plan`
  return [...shown, { artifact: 'more', lines: 'not shown', before: '', after: more }]
}

function limitText(lines: readonly string[]): string {
  const text = lines.map((line) => line.replace(/\r?\n$/, '')).join('\n')
  const { previewLength } = HANDS_LIMITS
  if (text.length <= previewLength) return text
  const shown = text.slice(0, previewLength).toWellFormed()
  return `${shown}\n… ${text.length - previewLength} more characters are not shown`
}
