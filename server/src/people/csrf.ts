/**
 * Whether something may be asked in the name of a browser's session. A cookie goes along with every
 * request that a browser is made to send; so our own pages say where they are, and with what changes
 * something the word that they were told.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { encodeUtf8, hashText, type Sha256 } from 'rubicon-kernel'
import { judgeOrigin } from '../http/connections/origin-check.ts'
import type { HttpCode } from '../http/problems/problem.ts'
import type { Method } from '../http/schemas/route.ts'
import type { Principal } from './principal.ts'

export function isUnsafe(method: Method): boolean {
  return method !== 'GET'
}

/** No page of another origin changes anything here, whatever it presents. */
export function checkOrigin(headers: IncomingHttpHeaders, publicUrl?: URL): HttpCode | null {
  return judgeRequestOrigin(headers, publicUrl) === 'foreign' ? 'ORIGIN_REFUSED' : null
}

/** A page of another origin sends it: a picture, a frame or a link of theirs. Whoever types an address does not. */
export function isFromElsewhere(headers: IncomingHttpHeaders, publicUrl?: URL): boolean {
  const isTyped = headers['sec-fetch-site'] === 'none'
  return !isTyped && judgeRequestOrigin(headers, publicUrl) === 'foreign'
}

export function checkCsrf(
  method: Method,
  principal: Principal,
  headers: IncomingHttpHeaders,
  publicUrl?: URL,
): HttpCode | null {
  if (principal.kind !== 'person' || principal.session === undefined) return null
  return checkUnknownCookie(method, principal.session.csrf, headers, publicUrl)
}

/** What a page of ours is told, made of the cookie: known to whoever has it, and to no page that was not told. */
export function deriveCsrfWord(cookie: string, sha256: Sha256): string {
  return hashText(`csrf ${cookie}`, sha256)
}

/** The same, of a cookie of which nobody knows yet whether it is anybody's. */
export function checkUnknownCookie(
  method: Method,
  word: string,
  headers: IncomingHttpHeaders,
  publicUrl?: URL,
): HttpCode | null {
  // What is read is told to no other page, but it would be read at the expense of whoever is signed in.
  if (!isUnsafe(method)) return isFromElsewhere(headers, publicUrl) ? 'ORIGIN_REFUSED' : null
  if (judgeRequestOrigin(headers, publicUrl) !== 'ours') return 'ORIGIN_REFUSED'
  return isSame(headers['rubicon-csrf'], word) ? null : 'CSRF_INVALID'
}

function judgeRequestOrigin(
  headers: IncomingHttpHeaders,
  publicUrl?: URL,
): ReturnType<typeof judgeOrigin> {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  const said = { origin, host, site: typeof site === 'string' ? site : undefined }
  return judgeOrigin(said, publicUrl)
}

function isSame(said: string | string[] | undefined, wanted: string): boolean {
  if (typeof said !== 'string') return false
  const [a, b] = [encodeUtf8(said.toWellFormed()), encodeUtf8(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
