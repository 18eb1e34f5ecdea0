/**
 * A token in the fragment of the address (`#token=rbo_…`), as the runtime prints it. Fragments are not
 * sent to servers; it is taken out of the address, and so out of the history, before anything else.
 */
const FRAGMENT = /^#token=([A-Za-z0-9._:@-]{1,128})$/

export function takeToken(): string | null {
  const token = FRAGMENT.exec(location.hash)?.[1] ?? null
  if (token !== null) history.replaceState(null, '', `${location.pathname}${location.search}`)
  return token
}

/** A link with a token that is pasted into a page that is already open changes the fragment alone: the page is not loaded. */
export function listenForToken(take: (token: string) => void): () => void {
  const listen = (): void => {
    const token = takeToken()
    if (token !== null) take(token)
  }
  window.addEventListener('hashchange', listen)
  return () => window.removeEventListener('hashchange', listen)
}
