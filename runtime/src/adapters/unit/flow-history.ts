/**
 * The moves of a flow as a column: `[to, at]`, and `[to]` where it happened in the same instant as the move
 * before. Where a flow came from is where the move before led; a move of which that is not true says so in a
 * third place. A row that grew by ninety bytes with every move would outgrow its page.
 */
import type { FlowState } from 'rubicon-kernel'
import type { FlowStep } from '../../ports/store.ts'

type StoredStep =
  | readonly [to: FlowState]
  | readonly [to: FlowState, at: string]
  | readonly [to: FlowState, at: string, from: FlowState | null]

export function encodeHistory(history: readonly FlowStep[]): string {
  return JSON.stringify(
    history.map(({ from, to, at }, i): StoredStep => {
      const before = history[i - 1]
      if (from !== (before?.to ?? null)) return [to, at, from]
      return before?.at === at ? [to] : [to, at]
    }),
  )
}

export function parseHistory(text: string): readonly FlowStep[] {
  const steps: FlowStep[] = []
  for (const stored of JSON.parse(text) as readonly StoredStep[]) {
    const before = steps.at(-1)
    const [to, at = before?.at ?? ''] = stored
    const from = stored.length === 3 ? stored[2] : (before?.to ?? null)
    steps.push({ from, to, at })
  }
  return steps
}
