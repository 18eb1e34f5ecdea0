/** A person, and what they are known by. */
import type { JsonObject } from 'rubicon-kernel'
import type { ShownPerson } from 'rubicon-runtime/engine/authority'
import { boolean, buildArray, buildWholeObject, nameSchema, string } from './shape.ts'

export const shownPerson: JsonObject = nameSchema(
  'Person',
  buildWholeObject<ShownPerson>({
    person_id: string,
    merged: buildArray(string),
    names: buildArray(string),
    logins: buildArray(buildWholeObject({ issuer: string, sub: string })),
  }),
)

export const registeredPerson: JsonObject = nameSchema(
  'RegisteredPerson',
  buildWholeObject({ person_id: string, unchanged: boolean }),
)
