/**
 * People who sign in with a provider of theirs: OpenID Connect, the code flow with PKCE, state and
 * nonce, by the library for it.
 *
 * Boundary: it asks the provider. Its tokens are read here and go nowhere: not to the store, not to a
 * log, not to the browser.
 *
 * O1 an answer counts for the browser that asked, and once: what was asked is with the browser, and
 *    the provider takes a code once.
 * O2 the signature of what the provider says is checked, also where TLS would vouch for it.
 * O3 an answer of the provider is read up to a bound, and waited for up to a time.
 */
import type * as OpenIdClient from 'openid-client'
import { LIMITS } from 'rubicon-kernel'
import { fetchBounded } from './bounded-fetch.ts'
import type { OidcClaims } from './oidc-claims.ts'
import { type OidcOptions, parsePrivateUrl } from './oidc-options.ts'
import type { SignInCookie } from './sign-in-cookie.ts'

export const OIDC_PATH = '/v1/sign-in/oidc'
const CALLBACK = `${OIDC_PATH}/callback`
const SCOPE = 'openid email profile'

type Library = typeof OpenIdClient
type Ready = { readonly library: Library; readonly config: OpenIdClient.Configuration }

/** What is kept by the browser until it comes back. */
export type Begun = {
  readonly url: URL
  readonly kept: Pick<SignInCookie, 'state' | 'nonce' | 'verifier'>
}

export class OpenId {
  readonly options: OidcOptions
  #ready: Promise<Ready> | null = null

  constructor(options: OidcOptions) {
    this.options = options
  }

  /** Where to send the browser. `base`: where it finds us. */
  async begin(base: string): Promise<Begun> {
    const { library, config } = await this.#ensureDiscovered()
    const [state, nonce] = [library.randomState(), library.randomNonce()]
    const verifier = library.randomPKCECodeVerifier()
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: `${base}${CALLBACK}`,
      scope: this.options.scope ?? SCOPE,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return { url, kept: { state, nonce, verifier } }
  }

  /** What the provider says of whoever came back. Throws where it says nothing that can be believed. */
  async finish(
    base: string,
    query: Readonly<Record<string, string>>,
    { state, nonce, verifier }: Begun['kept'],
  ): Promise<OidcClaims> {
    const { library, config } = await this.#ensureDiscovered()
    const back = new URL(`${base}${CALLBACK}?${new URLSearchParams(query)}`)
    const tokens = await library.authorizationCodeGrant(config, back, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims: OidcClaims = { ...tokens.claims() }
    const { userinfo_endpoint: more } = config.serverMetadata()
    if (more === undefined || typeof claims.sub !== 'string') return claims
    // Many providers say there, and only there, what somebody is.
    const said = await library.fetchUserInfo(config, tokens.access_token, claims.sub)
    return { ...said, ...claims }
  }

  /** Where whoever signs out here may sign out there as well. */
  async signOutUrl(): Promise<string | null> {
    const { library, config } = await this.#ensureDiscovered()
    if (config.serverMetadata().end_session_endpoint === undefined) return null
    return library.buildEndSessionUrl(config).href
  }

  /** Asked once; a provider that was away is asked again. */
  #ensureDiscovered(): Promise<Ready> {
    this.#ready ??= this.#discover().catch((error: unknown) => {
      this.#ready = null
      throw error
    })
    return this.#ready
  }

  async #discover(): Promise<Ready> {
    const { issuer, clientId, clientSecret } = this.options
    const library = await import('openid-client')
    const { None, ClientSecretPost, enableNonRepudiationChecks, allowInsecureRequests } = library
    const isClear = parsePrivateUrl(issuer)?.protocol === 'http:'
    const config = await library.discovery(
      new URL(issuer),
      clientId,
      { [library.clockTolerance]: LIMITS.oidcSkewMs / 1000 },
      clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
      {
        execute: [enableNonRepudiationChecks, ...(isClear ? [allowInsecureRequests] : [])],
        timeout: LIMITS.oidcMs / 1000,
        [library.customFetch]: fetchBounded,
      },
    )
    return { library, config }
  }
}
