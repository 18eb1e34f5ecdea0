/** `person …`. */
import { shownPerson } from '../../http/schemas/person.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { buildClosedSchema, type Family, text } from './shape.ts'

const which = buildClosedSchema({ person_id: text })

export const PERSONS: Family = {
  'person list': {
    prints: 'persons, and what they are known by',
    shape: buildPageSchema('persons', shownPerson),
  },
  'person register': { prints: 'who is called so', shape: which },
  'person link': { prints: 'who is known by it', shape: which },
  'person unlink': { prints: 'who was known by it', shape: which },
  'person merge': { prints: 'the person that both are', shape: which },
}
