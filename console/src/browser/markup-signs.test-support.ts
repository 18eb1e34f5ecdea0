/** Whether markup lives on a page: it ran, it became elements, or it asked for something. */
import type { Page } from 'playwright-core'
import { FETCHED } from './markup.test-support.ts'

export type Signs = {
  /** A payload ran. */
  readonly hit: boolean
  readonly markup: readonly string[]
  readonly fetched: readonly string[]
}

export const DEAD: Signs = { hit: false, markup: [], fetched: [] }

/** Elements and attributes that the console has none of: whoever finds one, finds markup that lived. */
const ALIVE = [
  ...['script', 'iframe', 'object', 'embed', 'img', 'video', 'audio', 'link', 'style', 'base'],
  ...['meta', 'math', 'marquee', 'frameset', 'image', 'use', 'input[type=image]'],
  ...['[srcdoc]', '[poster]', '[action]', '[background]'],
]

/** To be called before the page shows anything; what it gives is asked as often as one likes. */
export function watchMarkup(page: Page): () => Promise<Signs> {
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.url().includes(FETCHED)) fetched.push(request.url())
  })
  return async () => {
    const alive = await page.evaluate((tags) => {
      const root = document.getElementById('console') ?? document.body
      const elements = [...root.querySelectorAll('*')]
      const handlers = elements.filter((one) =>
        one.getAttributeNames().some((name) => name.startsWith('on')),
      )
      const links = [...root.querySelectorAll('a')].filter(
        (link) => !/^(https?:|$)/.test(link.protocol),
      )
      const found = root.querySelectorAll(tags.join(','))
      return {
        hit: 'hit' in window,
        markup: [...found, ...handlers, ...links].map((one) => one.outerHTML.slice(0, 200)),
      }
    }, ALIVE)
    return { ...alive, fetched: [...fetched] }
  }
}
