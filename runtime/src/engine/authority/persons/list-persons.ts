import { LIMITS, type Persons } from 'rubicon-kernel'
import type { Deps } from '../../deps.ts'
import { IDENTITIES } from './find-person.ts'

export type ShownPerson = {
  readonly person_id: string
  /** Ids that were merged into it. */
  readonly merged: readonly string[]
  readonly names: readonly string[]
  readonly logins: readonly { readonly issuer: string; readonly sub: string }[]
}

export type PersonPage = {
  readonly persons: readonly ShownPerson[]
  readonly next: string | null
}

/** In the order of their registration. What was erased is not shown: nobody has it. */
export async function listPersons(
  { store }: Pick<Deps, 'store'>,
  { ids }: Persons,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<PersonPage> {
  const all = [...ids].filter(([id, as]) => id === as).map(([id]) => id)
  const from = after === undefined ? 0 : all.indexOf(after) + 1
  const page = all.slice(from, from + limit)
  const persons: ShownPerson[] = []
  for (const id of page) persons.push(await showPerson({ store }, { ids }, id))
  const more = from + limit < all.length
  return { persons, next: more ? (page.at(-1) ?? null) : null }
}

/** Of an id that counts. */
export async function showPerson(
  { store }: Pick<Deps, 'store'>,
  { ids }: Pick<Persons, 'ids'>,
  person_id: string,
): Promise<ShownPerson> {
  const merged = [...ids].filter(([id, as]) => as === person_id && id !== as).map(([id]) => id)
  const groups = [person_id, ...merged].map((group) =>
    store.listRecords(IDENTITIES.record, group, { limit: LIMITS.identitiesPerPerson }),
  )
  const known = (await Promise.all(groups)).flat().map(({ body: { identity } }) => identity)
  return {
    person_id,
    merged,
    names: known.flatMap((one) => (one.kind === 'name' ? [one.name] : [])),
    logins: known.flatMap((one) =>
      one.kind === 'oidc' ? [{ issuer: one.issuer, sub: one.sub }] : [],
    ),
  }
}
