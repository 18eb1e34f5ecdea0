/** `source …`. */
import { registeredSource, sourceList } from '../../http/schemas/source.ts'
import { buildClosedSchema, count, type Family, text } from './shape.ts'

export const SOURCES: Family = {
  'source list': { prints: 'the sources of facts that are registered', shape: sourceList },
  'source add': { prints: 'the source as it is registered now', shape: registeredSource },
  'source retire': {
    prints: 'which source has ended, and at which authority entry',
    shape: buildClosedSchema({ retired: text, seq: count }),
  },
}
