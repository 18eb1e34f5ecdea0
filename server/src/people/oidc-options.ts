/** A provider that vouches for people, as whoever starts the server names it. */
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import { PERSON_ROLES, type PersonRole } from './principal.ts'

export type OidcOptions = {
  /** `https://…`; `http://` on this machine only. */
  readonly issuer: string
  readonly clientId: string
  /** Without one the client is public, and proves itself by PKCE alone. */
  readonly clientSecret?: string
  readonly scope?: string
  /** The claim that says what somebody is; `groups` when nobody says. */
  readonly rolesClaim?: string
  /** Which of its values give which role. Whoever has none is not let in. */
  readonly roles: Readonly<Partial<Record<PersonRole, readonly string[]>>>
  /** The claim that says in which tenants they may ask; without one it is this. */
  readonly tenantClaim?: string
  readonly tenant: string
  /** It verifies addresses of mail so that one is enough to say who somebody is. */
  readonly trustEmail?: boolean
}

const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** An address of the web that nobody on the way can read: with TLS, or on this machine. */
export function parsePrivateUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || url.username !== '' || url.password !== '') return null
  if (url.protocol === 'https:') return url
  return url.protocol === 'http:' && LOOPBACK.includes(url.hostname) ? url : null
}

export function checkOidc(options: OidcOptions): Result<OidcOptions, Failure> {
  const { issuer, clientId, roles } = options
  if (parsePrivateUrl(issuer) === null)
    return err(
      createOidcFailure(
        `\`${issuer}\` is no issuer that can be believed`,
        'use an https address; http is for this machine only',
      ),
    )
  if (clientId === '')
    return err(createOidcFailure('the provider knows no client without a name', 'name it'))
  if (PERSON_ROLES.some((role) => (roles[role]?.length ?? 0) > 0)) return ok(options)
  return err(
    createOidcFailure('no claim gives a role, so that nobody could sign in', 'map some to roles'),
  )
}

function createOidcFailure(summary: string, fix: string): Failure {
  return { code: 'OIDC_INVALID', summary, fix }
}
