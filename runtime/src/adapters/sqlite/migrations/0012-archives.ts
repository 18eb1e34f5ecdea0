import type { SchemaStep } from '../../unit/schema-steps.ts'
import { VIEWS } from './0011-packed.ts'

/** A payload that is missing can come back; one that is there is never replaced. Which one, its hash says. */
const TRIGGER = `
DROP TRIGGER entries_are_frozen;
CREATE TRIGGER entries_are_frozen BEFORE UPDATE ON entries
WHEN (NEW.payload IS NOT NULL OR NEW.packed IS NOT NULL)
    AND (OLD.payload IS NOT NULL OR OLD.packed IS NOT NULL)
  OR NEW.row IS NOT OLD.row OR NEW.tenant IS NOT OLD.tenant
  OR NEW.leaf IS NOT OLD.leaf OR NEW.trajectory IS NOT OLD.trajectory OR NEW.seq IS NOT OLD.seq
  OR NEW.id IS NOT OLD.id OR NEW.parent IS NOT OLD.parent OR NEW.v IS NOT OLD.v
  OR NEW.kind IS NOT OLD.kind OR NEW.at IS NOT OLD.at OR NEW.dfid IS NOT OLD.dfid
  OR NEW.authority_seq IS NOT OLD.authority_seq OR NEW.payload_hash IS NOT OLD.payload_hash
BEGIN
  SELECT RAISE(ABORT, 'entries are never changed; only a payload can be erased, or moved and put back');
END;
`

const NAME = 'decision_audit_events'

/** Of what is missing: whether it lies in an archive. */
const EVENTS = VIEWS.filter((text) => text.includes(`CREATE VIEW ${NAME} `)).map((text) =>
  text.replace(
    `CASE WHEN e.payload IS NULL THEN 'ERASED'`,
    `CASE WHEN e.payload IS NULL THEN CASE WHEN EXISTS (SELECT 1 FROM records a WHERE a.tenant = e.tenant
        AND a.record = 'archive' AND a.grp = 'flows' AND a.key = e.dfid) THEN 'ARCHIVED' ELSE 'ERASED' END`,
  ),
)

export const archives: SchemaStep = {
  number: 12,
  name: 'archives',
  sql: [TRIGGER, `DROP VIEW ${NAME};`, ...EVENTS].join('\n'),
}
