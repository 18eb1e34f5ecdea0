/** Whether somebody else has begun a ledger in a store, or with the keys in a state directory, that was made for one tenant. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { toTenantFileName } from 'rubicon-runtime/compose'
import { parseSqlitePath } from './open.ts'

/** In words; null: all of it is of this tenant. */
export function findOtherLedger(
  place: { readonly store: string; readonly state: string },
  tenant: string,
): string | null {
  const path = parseSqlitePath(place.store) ?? ''
  const tenants = listTenants(path)
  if (tenants === null) return `\`${path}\` cannot be read as a store`
  const other = tenants.find((one) => one !== tenant)
  if (other !== undefined) return `tenant \`${other}\` has a ledger in it`
  const head = listSigned(place.state).find((name) => name !== toTenantFileName(tenant))
  return head === undefined
    ? null
    : `the ledger of tenant \`${head}\` is signed with its keys in \`${place.state}\``
}

/** Null: nobody knows. One that was killed while it was made has no tables yet. */
function listTenants(path: string): readonly string[] | null {
  if (!existsSync(path)) return []
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path, { readOnly: true })
    const named = "SELECT 1 FROM sqlite_master WHERE name = 'trajectories'"
    if (database.prepare(named).get() === undefined) return []
    const rows = database.prepare('SELECT DISTINCT tenant FROM trajectories').all()
    return rows.map((row) => String(row.tenant))
  } catch {
    return null
  } finally {
    database?.close()
  }
}

/** A tenant whose ledger has begun has its newest head here. */
function listSigned(state: string): readonly string[] {
  const folder = join(state, 'heads')
  return existsSync(folder) ? readdirSync(folder) : []
}
