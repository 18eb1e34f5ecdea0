/**
 * What a browser keeps while its person is with the provider: `TENANT/STATE/NONCE/VERIFIER/RETURN`. It
 * goes to the pages of the sign-in only, and is of no use to anybody else.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { LIMITS } from 'rubicon-kernel'
import { buildCookieName, type CookiePlace, readCookie, setCookie } from './session-cookie.ts'

export type SignInCookie = {
  readonly tenant: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where to go afterwards: a place of ours. */
  readonly returnTo: string
}

const SIGN_IN = 'sign-in'
const VALUE =
  /^([A-Za-z0-9._:@-]{1,128})\/([\w-]{43})\/([\w-]{43})\/([\w-]{43})\/([A-Za-z0-9_-]{1,1400})$/

export function buildSignInCookie(
  place: CookiePlace,
  path: string,
  kept: SignInCookie | null,
): string {
  const rules = { path, sameSite: 'Lax' } as const
  if (kept === null) return setCookie(place, SIGN_IN, '', { ...rules, seconds: 0 })
  const { tenant, state, nonce, verifier, returnTo } = kept
  const value = [tenant, state, nonce, verifier, Buffer.from(returnTo).toString('base64url')]
  const seconds = LIMITS.signInMs / 1000
  return setCookie(place, SIGN_IN, value.join('/'), { ...rules, seconds })
}

export function readSignInCookie(
  header: string | undefined,
  place: CookiePlace,
): SignInCookie | null {
  const value = readCookie(header, buildCookieName(SIGN_IN, place))
  const [, tenant, state, nonce, verifier, back = ''] = VALUE.exec(value ?? '') ?? []
  if (tenant === undefined || state === undefined) return null
  if (nonce === undefined || verifier === undefined) return null
  const returnTo = Buffer.from(back, 'base64url').toString()
  return { tenant, state, nonce, verifier, returnTo: parseReturnPath(returnTo) }
}

/** With the state that this browser was sent away with: no page of others knows it. */
export function isComingBack(
  target: string,
  { cookie, host }: Pick<IncomingHttpHeaders, 'cookie' | 'host'>,
  publicUrl?: URL,
): boolean {
  const kept = readSignInCookie(cookie, { host, publicUrl })
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1))
  return kept !== null && query.get('state') === kept.state
}

/** A path, and nothing that a browser would take for another site. */
export function parseReturnPath(text: string | undefined): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]{0,1000}$/.test(text) ? text : '/'
}
