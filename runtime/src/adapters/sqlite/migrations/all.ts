import type { SchemaStep } from '../../unit/schema-steps.ts'
import { tables } from './0001-tables.ts'
import { views } from './0002-views.ts'
import { records } from './0003-records.ts'
import { lists } from './0004-lists.ts'
import { expiry } from './0005-expiry.ts'
import { details } from './0006-details.ts'
import { parts } from './0007-parts.ts'
import { auditViews } from './0008-audit-views.ts'
import { heads } from './0009-heads.ts'
import { codes } from './0010-codes.ts'
import { packed } from './0011-packed.ts'
import { archives } from './0012-archives.ts'
import { events } from './0013-events.ts'

/** In order, without gaps. Forward only. */
export const MIGRATIONS: readonly SchemaStep[] = [
  tables,
  views,
  records,
  lists,
  expiry,
  details,
  parts,
  auditViews,
  heads,
  codes,
  packed,
  archives,
  events,
]
