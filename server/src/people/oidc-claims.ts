/** From what a provider says of somebody to a person of ours, or to why they are nobody here. */
import {
  err,
  findPersonNameProblem,
  hashText,
  isIdentifier,
  LIMITS,
  ok,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import { OF_PROVIDER } from 'rubicon-runtime/engine/authority'
import type { HttpCode } from '../http/problems/problem.ts'
import type { OidcOptions } from './oidc-options.ts'
import { PERSON_ROLES, type PersonRole } from './principal.ts'

export type OidcClaims = Readonly<Record<string, unknown>>

export type Vouched = {
  readonly name: string
  readonly shown: string | null
  readonly roles: readonly PersonRole[]
  readonly sub: string
  /** Where the provider is trusted to have verified it. */
  readonly mail?: string
}

const NAME_DIGITS = 32
const EMAIL_LENGTH = 254

type Here = { readonly tenant: string; readonly sha256: Sha256; readonly now: number }

/** When it was signed, from when on it counts, and when somebody last proved who they are. */
const DATES = ['iat', 'nbf', 'auth_time'] as const

/** Whoever signs ahead has words for later; a provider's clock may be off by as much as we grant. */
function isFuture(seconds: unknown, now: number): boolean {
  if (seconds === undefined) return false
  return typeof seconds !== 'number' || !(seconds * 1000 <= now + LIMITS.oidcSkewMs)
}

export function parseVouchedPerson(
  claims: OidcClaims,
  { roles: mapped, rolesClaim = 'groups', trustEmail = false, ...tenants }: OidcOptions,
  { tenant, sha256, now }: Here,
): Result<Vouched, HttpCode> {
  if (DATES.some((date) => isFuture(claims[date], now))) return err('SIGN_IN_REFUSED')
  const held = listClaimValues(claims, rolesClaim)
  const roles = PERSON_ROLES.filter((role) => mapped[role]?.some((value) => held.includes(value)))
  if (roles.length === 0) return err('ROLE_MISSING')
  const { tenantClaim } = tenants
  const places = tenantClaim === undefined ? [tenants.tenant] : listClaimValues(claims, tenantClaim)
  if (!places.includes(tenant) || typeof claims.sub !== 'string') return err('SIGN_IN_REFUSED')
  const sub = claims.sub.toWellFormed()
  const shown = findVerifiedEmail(claims)
  const mail = trustEmail && shown !== null ? { mail: shown } : {}
  return ok({ name: derivePersonName(sub, sha256), shown, roles, sub, ...mail })
}

/** The subject, which the provider gives to nobody else; an address of mail may change hands. */
function derivePersonName(sub: string, sha256: Sha256): string {
  const name = `${OF_PROVIDER}${sub}`
  const digits = hashText(sub.toWellFormed(), sha256).slice(0, NAME_DIGITS)
  return isIdentifier(name) ? name : `${OF_PROVIDER}${digits}`
}

function findVerifiedEmail({ email, email_verified }: OidcClaims): string | null {
  if (typeof email !== 'string' || email_verified !== true) return null
  const isMail = email.length <= EMAIL_LENGTH && email.includes('@')
  return isMail && findPersonNameProblem(email) === undefined ? email : null
}

/** One text, or a list of them. A name with dots may lead into objects. */
function listClaimValues(claims: OidcClaims, name: string): readonly string[] {
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : findNestedClaim(claims, name.split('.'))
  const values = Array.isArray(value) ? value : [value]
  return values.filter((one) => typeof one === 'string')
}

function findNestedClaim(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isClaims(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  )
}

function isClaims(value: unknown): value is OidcClaims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
