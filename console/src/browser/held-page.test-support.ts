/** Holds what a page is answered against the API document, as what a test fetches itself. */
import type { Page, Response } from 'playwright-core'
import {
  bodyOf,
  hold,
  isEndless,
  isOfTheApi,
  mediaType,
} from '../../../server/src/http/schemas/watch-fetch.test-support.ts'

export type HeldPage = {
  /** How many answers were looked at. */
  count(): number
  /** All that came so far has been. */
  settled(): Promise<void>
}

export function heldPage(page: Page, url: string): HeldPage {
  const looking = new Set<Promise<void>>()
  let count = 0
  const look = async (response: Response): Promise<void> => {
    const type = mediaType(await response.headerValue('content-type'))
    const text = isEndless(type) ? '' : await response.text()
    const { pathname } = new URL(response.url())
    const method = response.request().method()
    const body = bodyOf(type, text)
    await hold({ method, path: pathname, status: response.status(), type, body })
    count += 1
  }
  page.on('response', (response) => {
    const { origin, pathname } = new URL(response.url())
    if (origin !== new URL(url).origin || !isOfTheApi(pathname)) return
    // The browser forgets what it was answered once it is on another page.
    const looked = look(response).catch(() => {})
    looking.add(looked)
    void looked.finally(() => looking.delete(looked))
  })
  return {
    count: () => count,
    async settled() {
      await Promise.all(looking)
    },
  }
}
