import type { ServerTemplate } from './server-template.ts'

/** What is asked for is also what is told: an address carries data to whoever answers at it. */
export const FETCH: ServerTemplate = {
  name: 'fetch',
  knownBy: ['fetch', 'fetch_html', 'fetch_json', 'fetch_markdown', 'fetch_txt'],
  tools: Object.fromEntries(
    ['fetch', 'fetch_html', 'fetch_json', 'fetch_markdown', 'fetch_txt'].map((name) => [
      name,
      { class: 'read', names: [{ bound: 'hosts', at: '/url' }], leaves: ['/url'] },
    ]),
  ),
}
