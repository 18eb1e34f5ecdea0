/** Members of the address that belong to the playground: links to it were written before there was anything else. */
const OF_PLAYGROUND: readonly string[] = ['decision', 'agent', 'rules', 'outcome']

export function isTrying(query: URLSearchParams, fragment: string): boolean {
  const view = query.get('view')
  if (view !== null) return view === 'try'
  return OF_PLAYGROUND.some((name) => query.has(name)) || fragment.startsWith('#draft=')
}
