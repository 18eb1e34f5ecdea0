/** `person …`. */
import { shownPerson } from '../../http/schemas/person.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { buildClosedSchema, type Family, text } from './shape.ts'

const which = buildClosedSchema({ person_id: text })

export const PERSONS: Family = {
  'person list': {
    prints: 'persons, with their names and logins',
    shape: buildPageSchema('persons', shownPerson),
  },
  'person register': { prints: 'the person with that name', shape: which },
  'person link': { prints: 'the person that it was linked to', shape: which },
  'person unlink': { prints: 'the person that it was unlinked from', shape: which },
  'person merge': { prints: 'the person that both are', shape: which },
}
