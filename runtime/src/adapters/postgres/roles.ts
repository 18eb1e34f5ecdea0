/**
 * The role that writes: it may add to the ledger and erase a payload, and it can neither change nor
 * delete an entry or a leaf, whatever this program does. Triggers forbid the same to everybody.
 *
 * Who may not make roles goes on as himself; then somebody who may should run
 * `CREATE ROLE rubicon_writer NOLOGIN` and grant it to the user of the runtime.
 */
import { parseFlag, parseText } from './rows.ts'
import type { DatabaseSession, NamedStatement } from './session.ts'

const WRITER = 'rubicon_writer'

/** Gives the role what it needs, where that is ours to give. The role to write as, or null. */
export async function prepareWriterRole(session: DatabaseSession): Promise<string | null> {
  const [there] = await session.run(THERE)
  if (!parseFlag(there, 'there')) {
    // Another database of the server may be making it at the same time.
    const made = await tryScript(session, `CREATE ROLE ${WRITER} NOLOGIN`)
    if (!made && !parseFlag((await session.run(THERE))[0], 'there')) return null
  }
  const [granted] = await session.run(GRANTED)
  if (!parseFlag(granted, 'complete')) {
    if (!parseFlag(granted, 'ours')) return null
    await session.runScript(buildGrants(parseText(granted, 'schema')))
  }
  if (await isRoleUsable(session)) return WRITER
  await tryScript(session, `GRANT ${WRITER} TO CURRENT_USER`)
  return (await isRoleUsable(session)) ? WRITER : null
}

function isRoleUsable(session: DatabaseSession): Promise<boolean> {
  return tryScript(session, `SET ROLE ${WRITER}; RESET ROLE`)
}

async function tryScript(session: DatabaseSession, text: string): Promise<boolean> {
  try {
    await session.runScript(text)
    return true
  } catch {
    return false
  }
}

function buildGrants(schema: string): string {
  return `
    GRANT USAGE ON SCHEMA ${schema} TO ${WRITER};
    GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${WRITER};
    GRANT INSERT ON entries, leaves TO ${WRITER};
    GRANT UPDATE (payload) ON entries TO ${WRITER};
    GRANT INSERT, UPDATE ON engines, trajectories, placed, flows, executions, counters, writs,
      records, resources, world_nodes, checkpoints, tiles TO ${WRITER};
    DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM pg_attribute
        WHERE attrelid = 'entries'::regclass AND attname = 'packed') THEN
        GRANT UPDATE (packed) ON entries TO ${WRITER};
      END IF;
      IF to_regclass('tree_heads') IS NOT NULL THEN
        GRANT INSERT, UPDATE ON tree_heads TO ${WRITER};
      END IF;
      IF to_regclass('seals') IS NOT NULL THEN
        GRANT INSERT, DELETE ON seals TO ${WRITER};
      END IF;
    END $$;
    GRANT DELETE ON executions, records TO ${WRITER}`
}

const THERE: NamedStatement = {
  name: 'role_there',
  text: `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${WRITER}') AS there`,
}
/** A table that a later schema brings is not readable yet, so everything is granted again. */
const GRANTED: NamedStatement = {
  name: 'role_granted',
  text: `SELECT quote_ident(current_schema()) AS schema,
      bool_and(has_table_privilege('${WRITER}', oid, 'SELECT')) AS complete,
      bool_and(pg_has_role(relowner, 'USAGE')) AS ours
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v')`,
}
