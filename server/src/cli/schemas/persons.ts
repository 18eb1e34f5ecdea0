/** `person …`. */
import { buildClosedSchema, type Family, listOf, text } from './shape.ts'

const person = buildClosedSchema({
  person_id: text,
  merged: listOf(text),
  names: listOf(text),
  logins: listOf(buildClosedSchema({ issuer: text, sub: text })),
})
const which = buildClosedSchema({ person_id: text })

export const PERSONS: Family = {
  'person list': {
    prints: 'persons, and what they are known by',
    shape: buildClosedSchema({ persons: listOf(person) }),
  },
  'person register': { prints: 'who is called so', shape: which },
  'person link': { prints: 'who is known by it', shape: which },
  'person unlink': { prints: 'who was known by it', shape: which },
  'person merge': { prints: 'the person that both are', shape: which },
}
