/** Whose token `rubicon up` is about, as it was told. */
import { readFileSync } from 'node:fs'
import type { DoorOptions } from '../server/doorkeeper.ts'
import { PERSON_ROLES, type PersonRole } from '../server/principal.ts'
import { type Call, usage } from './call.ts'

export function personOf({ options }: Call): DoorOptions {
  const name = options.text('principal')
  const roles = options.text('roles')
  const tenants = options.text('in')
  const file = options.text('tokenFile')
  return {
    ...(name === undefined ? {} : { name }),
    ...(roles === undefined ? {} : { roles: rolesOf(roles) }),
    ...(tenants === undefined ? {} : { tenants: listOf(tenants) }),
    ...(file === undefined ? {} : { token: readFileSync(file, 'utf8').trim() }),
    newToken: options.flag('newToken'),
  }
}

function rolesOf(text: string): readonly PersonRole[] {
  return listOf(text).map(roleOf)
}

export function roleOf(word: string): PersonRole {
  const role = PERSON_ROLES.find((known) => known === word)
  if (role !== undefined) return role
  throw usage(`\`${word}\` is not a role`, `use some of ${PERSON_ROLES.join(', ')}`)
}

/** What stands between commas. */
export function listOf(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}
