/** What is used of a flow's budget, in a line. */
import type { BudgetLine } from 'rubicon-runtime/engine/flow'

/** `tokens  about 1200 of 10000` */
export function formatBudgetLine({ measure, granted, used, estimate }: BudgetLine): string {
  const bound = granted === null ? '' : ` of ${granted}`
  return `${measure} ${estimate ? 'about ' : ''}${used}${bound}`
}
