import type { SchemaStep } from '../../unit/schema-steps.ts'
import { VIEWS } from './0010-packed.ts'

/** A payload that is missing can come back; one that is there is never replaced. Which one, its hash says. */
const TRIGGER = `
CREATE OR REPLACE FUNCTION ledger_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.payload IS NULL AND OLD.packed IS NULL THEN
    OLD.payload := NEW.payload;
    OLD.packed := NEW.packed;
  ELSE
    OLD.payload := NULL;
    OLD.packed := NULL;
  END IF;
  IF NEW IS DISTINCT FROM OLD THEN
    RAISE EXCEPTION 'entries are never changed; only a payload can be erased, or moved and put back';
  END IF;
  RETURN NEW;
END $$;
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
  number: 11,
  name: 'archives',
  sql: [TRIGGER, `DROP VIEW ${NAME};`, ...EVENTS].join('\n'),
}
