import type { SchemaStep } from '../../unit/schema-steps.ts'
import { tables } from './0001-tables.ts'
import { views } from './0002-views.ts'
import { lists } from './0003-lists.ts'
import { expiry } from './0004-expiry.ts'
import { details } from './0005-details.ts'
import { auditViews } from './0006-audit-views.ts'
import { heads } from './0007-heads.ts'
import { seals } from './0008-seals.ts'
import { codes } from './0009-codes.ts'
import { packed } from './0010-packed.ts'
import { archives } from './0011-archives.ts'
import { events } from './0012-events.ts'

/** In order, without gaps. Forward only. */
export const MIGRATIONS: readonly SchemaStep[] = [
  tables,
  views,
  lists,
  expiry,
  details,
  auditViews,
  heads,
  seals,
  codes,
  packed,
  archives,
  events,
]
