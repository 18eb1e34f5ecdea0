/** The overview by keys: from line to line as they are read, and at once to who is at risk. */
import { useKeys } from '../../keys/keys.tsx'

export function useOverviewKeys(): void {
  useKeys([
    { keys: 'j', does: 'next line', run: () => walkLines(1) },
    { keys: 'k', does: 'previous line', run: () => walkLines(-1) },
    { keys: 'w', does: 'first request that waits', run: () => focusFirstLine('waiting') },
    { keys: 'b', does: 'fullest budget', run: () => focusFirstLine('budgets') },
    { keys: 'r', does: 'first agent at risk', run: () => focusFirstLine('risk') },
  ])
}

const LINES = 'main .overview a.overview-what'

function walkLines(by: 1 | -1): void {
  const lines = [...document.querySelectorAll<HTMLElement>(LINES)]
  const at = lines.findIndex((line) => line.matches(':focus'))
  focusLine(lines[at < 0 ? 0 : Math.min(lines.length - 1, Math.max(0, at + by))])
}

function focusFirstLine(card: 'waiting' | 'risk' | 'budgets'): void {
  focusLine(document.querySelector<HTMLElement>(`[data-lines="${card}"] a.overview-what`))
}

function focusLine(line: HTMLElement | null | undefined): void {
  line?.focus()
  line?.scrollIntoView({ block: 'nearest' })
}
