/** What a check reads: answers of the server, and what stands on the page. */
import type { Page } from 'playwright-core'
import type { ClientAnswer } from 'rubicon-agents/client'

/** A check that is refused an answer has found out nothing. */
export function readBody<T>(answer: ClientAnswer<T>): T {
  if (answer.ok) return answer.body
  throw new Error(`${answer.problem.code}: ${answer.problem.detail}`)
}

export function readMain(page: Page): Promise<string> {
  return page.locator('main').innerText()
}
