/** A person, and what they are known by. */
import type { JsonObject } from 'rubicon-kernel'
import type { ShownPerson } from '../../engine/persons/list-persons.ts'
import { boolean, many, named, string, whole } from '../routes/shape.ts'

export const shownPerson: JsonObject = named(
  'Person',
  whole<ShownPerson>({
    person_id: string,
    merged: many(string),
    names: many(string),
    logins: many(whole({ issuer: string, sub: string })),
  }),
)

export const registeredPerson: JsonObject = named(
  'RegisteredPerson',
  whole({ person_id: string, unchanged: boolean }),
)
