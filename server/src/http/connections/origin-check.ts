/**
 * Whether what a browser asks was asked by a page of ours. Any page can make a browser send a request;
 * no page can make it lie about where the request comes from.
 */
export type FromBrowser = {
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
  /** `Host`, which was found to be ours. */
  readonly host: string | undefined
}

export type Whence = 'ours' | 'foreign' | 'unsaid'

/** `publicUrl`: where people find the server, if a proxy stands in front of it. */
export function judgeOrigin({ origin, site, host }: FromBrowser, publicUrl?: URL): Whence {
  const isOurs = origin === `http://${host}` || origin === publicUrl?.origin
  if (origin !== undefined && !isOurs) return 'foreign'
  if (site !== undefined && site !== 'same-origin') return 'foreign'
  return origin === undefined && site === undefined ? 'unsaid' : 'ours'
}
