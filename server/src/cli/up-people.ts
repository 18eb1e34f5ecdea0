/** Whose token `rubicon up` and `rubicon token` are about, as they were told. */
import { readFileSync } from 'node:fs'
import { PERSON_ROLES, type PersonRole, SOURCE_ROLE } from '../people/principal.ts'
import type { TokenOptions } from '../people/server-people.ts'
import { type CommandCall, createUsageFailure } from './call.ts'

export function parseTokenOptions(call: CommandCall): TokenOptions {
  const { options } = call
  const name = options.text('principal')
  const file = options.text('tokenFile')
  return {
    ...(name === undefined ? {} : { name }),
    ...reachOf(call, 'roles'),
    ...(file === undefined ? {} : { token: readFileSync(file, 'utf8').trim() }),
    newToken: options.hasFlag('newToken'),
  }
}

/** What somebody may do, and where, as far as it was said. */
export function reachOf(
  { options }: CommandCall,
  option: 'role' | 'roles',
): Pick<TokenOptions, 'roles' | 'tenants'> {
  const roles = options.text(option)
  const tenants = options.text('in')
  return {
    ...(roles === undefined ? {} : { roles: parseRoles(roles, option) }),
    ...(tenants === undefined ? {} : { tenants: listOf(tenants) }),
  }
}

function parseRoles(text: string, option: string): readonly PersonRole[] {
  const roles = listOf(text).map(parseRole)
  if (roles.length > 1 && roles.includes(SOURCE_ROLE))
    throw createUsageFailure(
      'a source of facts has no other role',
      `use \`--${option} ${SOURCE_ROLE}\``,
    )
  return roles
}

export function parseRole(word: string): PersonRole {
  const role = PERSON_ROLES.find((known) => known === word)
  if (role !== undefined) return role
  if (word === SOURCE_ROLE) return SOURCE_ROLE
  throw createUsageFailure(
    `\`${word}\` is not a role`,
    `use some of ${PERSON_ROLES.join(', ')}, or ${SOURCE_ROLE} alone`,
  )
}

/** What stands between commas. */
export function listOf(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}
