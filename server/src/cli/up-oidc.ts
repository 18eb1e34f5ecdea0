/** Which provider vouches for people, as `rubicon up` was told. */
import { readFileSync } from 'node:fs'
import type { ServeOptions } from '../http/serve.ts'
import type { PersonRole } from '../people/principal.ts'
import { type CommandCall, createMissingFailure, createUsageFailure } from './call.ts'
import { listOf, parseRole } from './up-people.ts'

type Oidc = NonNullable<ServeOptions['oidc']>

export function parseOidcOptions({ options }: CommandCall): Pick<ServeOptions, 'oidc'> {
  const issuer = options.text('oidcIssuer')
  if (issuer === undefined) return {}
  const secret = options.text('oidcClientSecretFile')
  const scope = options.text('oidcScope')
  const rolesClaim = options.text('oidcRolesClaim')
  const tenantClaim = options.text('oidcTenantClaim')
  const oidc: Oidc = {
    issuer,
    clientId: options.getRequired('oidcClientId', '--oidc-client-id ID'),
    roles: parseRoleMapping(options.text('oidcRole')),
    ...(secret === undefined ? {} : { clientSecret: readFileSync(secret, 'utf8').trim() }),
    ...(scope === undefined ? {} : { scope }),
    ...(rolesClaim === undefined ? {} : { rolesClaim }),
    ...(tenantClaim === undefined ? {} : { tenantClaim }),
    ...(options.hasFlag('oidcTrustEmail') ? { trustEmail: true } : {}),
  }
  return { oidc }
}

/** `operator=ops,approver=managers`: a role may stand there more than once. */
function parseRoleMapping(text: string | undefined): Oidc['roles'] {
  if (text === undefined) throw createMissingFailure('--oidc-role ROLE=VALUE')
  const mapping: Partial<Record<PersonRole, readonly string[]>> = {}
  for (const pair of listOf(text)) {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw createUsageFailure(`\`${pair}\` maps nothing`, 'use ROLE=VALUE, such as operator=ops')
    const role = parseRole(name)
    mapping[role] = [...(mapping[role] ?? []), value]
  }
  return mapping
}
