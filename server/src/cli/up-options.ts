/** Options of `rubicon up` that belong together; the doctor takes some of them. */
import type { Option } from './verb-spec.ts'

export const ARTIFACTS: Option = [
  '--artifacts <folder>',
  'the folder whose files agents read and change by symbol, in the first tenant',
]

export const CHANNELS: Option = [
  '--channels <file>',
  'a file with the private addresses and the secrets that notification channels of the first tenant may use',
]

export const REGISTRY_OPTIONS: readonly Option[] = [
  [
    '--registry <url>',
    'read contracts, keys and writs from the registry at this address (or RUBICON_REGISTRY)',
  ],
  [
    '--registry-key <base64>',
    'the checkpoint key of the registry, which signs its answers (or RUBICON_REGISTRY_KEY)',
  ],
  [
    '--registry-token-file <path>',
    'a file with the token of an auditor for the registry (or RUBICON_REGISTRY_TOKEN)',
  ],
]

export const OIDC_OPTIONS: readonly Option[] = [
  ['--oidc-issuer <url>', 'people may sign in with this OpenID provider'],
  ['--oidc-client-id <id>', 'the client id of this server at the provider'],
  ['--oidc-client-secret-file <path>', 'a file with the client secret'],
  ['--oidc-scope <words>', 'scopes to request (default: openid email profile)'],
  ['--oidc-roles-claim <name>', 'the claim that gives roles (default: groups)'],
  [
    '--oidc-role <list>',
    'which value of the claim gives which role: operator=ops,approver=managers',
  ],
  ['--oidc-tenant-claim <name>', 'the claim that names tenants (default: none, the first tenant)'],
  ['--oidc-trust-email', 'identify people by email addresses that the provider verified'],
]
