/**
 * The cookie of a person's session: `TENANT/NAME/SECRET`. It says where to look; what holds is the
 * hash of all of it, which the store has.
 */
import { LIMITS } from 'rubicon-kernel'

export type CookieValue = { readonly tenant: string; readonly name: string; readonly text: string }

const VALUE = /^([A-Za-z0-9._:@-]{1,128})\/([A-Za-z0-9._:@-]{1,128})\/[A-Za-z0-9_-]{43}$/

/** Where the browser is: what a cookie is called there, and whether it may travel in the clear. */
export type CookiePlace = { readonly host: string | undefined; readonly publicUrl: URL | undefined }

/** What the cookie is for. */
export const SESSION = 'session'

/** A browser keeps one jar for all ports of a host, so that the name says which. */
export function buildCookieName(what: string, { host, publicUrl }: CookiePlace): string {
  // Browsers take a name with this prefix only from us, for all of us, and over TLS.
  if (isSecure({ publicUrl })) return `${what === SESSION ? '__Host' : '__Secure'}-rubicon-${what}`
  return `rubicon-${what}-${/:([0-9]+)$/.exec(publicUrl?.host ?? host ?? '')?.[1] ?? '80'}`
}

function isSecure({ publicUrl }: Pick<CookiePlace, 'publicUrl'>): boolean {
  return publicUrl?.protocol === 'https:'
}

export type CookieRules = {
  readonly path: string
  /** 0: the browser forgets it. */
  readonly seconds: number
  readonly sameSite: 'Strict' | 'Lax'
}

export function setCookie(
  place: CookiePlace,
  what: string,
  value: string,
  { path, seconds, sameSite }: CookieRules,
): string {
  const secure = isSecure(place) ? '; Secure' : ''
  const rules = `Path=${path}; HttpOnly; SameSite=${sameSite}; Max-Age=${seconds}${secure}`
  return `${buildCookieName(what, place)}=${value}; ${rules}`
}

/** `value` null: signed out. */
export function buildSessionCookie(place: CookiePlace, value: string | null): string {
  const seconds = value === null ? 0 : LIMITS.personSessionMs / 1000
  return setCookie(place, SESSION, value ?? '', { path: '/', seconds, sameSite: 'Strict' })
}

/** The value under a name; null: there is none, or more than one and nobody knows which is ours. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 ? (values[0] ?? null) : null
}

export function parseSessionCookie(text: string): CookieValue | null {
  const [, tenant, name] = VALUE.exec(text) ?? []
  return tenant === undefined || name === undefined ? null : { tenant, name, text }
}
