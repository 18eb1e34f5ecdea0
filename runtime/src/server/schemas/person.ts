/** A person, and what they are known by. */
import type { JsonObject } from 'rubicon-kernel'
import type { ShownPerson } from '../../engine/persons/list-persons.ts'
import { boolean, buildWholeObject, many, named, string } from '../routes/shape.ts'

export const shownPerson: JsonObject = named(
  'Person',
  buildWholeObject<ShownPerson>({
    person_id: string,
    merged: many(string),
    names: many(string),
    logins: many(buildWholeObject({ issuer: string, sub: string })),
  }),
)

export const registeredPerson: JsonObject = named(
  'RegisteredPerson',
  buildWholeObject({ person_id: string, unchanged: boolean }),
)
