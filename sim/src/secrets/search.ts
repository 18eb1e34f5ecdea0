/** Everything that can be read of a system from outside of it, and the search for credentials there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Credential, listMarkForms } from './credential.ts'

export type SearchedPlace = { readonly name: string; readonly bytes: Buffer }

export type SecretLeak = {
  readonly credential: string
  readonly place: string
  /** What stands before it there, for whoever looks for the way out. */
  readonly before: string
}

const SHOWN_BEFORE = 160

export function findLeaks(
  credentials: readonly Credential[],
  places: readonly SearchedPlace[],
): readonly SecretLeak[] {
  const sought = credentials.map((credential) => ({
    ...credential,
    forms: credential.marks.flatMap(listMarkForms),
  }))
  return places.flatMap(({ name: place, bytes }) =>
    sought.flatMap(({ name: credential, belongs, forms }) => {
      if (belongs.includes(place)) return []
      const at = forms.map((form) => bytes.indexOf(form)).find((found) => found >= 0)
      if (at === undefined) return []
      const before = bytes.subarray(Math.max(0, at - SHOWN_BEFORE), at).toString('latin1')
      return [{ credential, place, before }]
    }),
  )
}

/** Every file below a folder, by its path from there. */
export function readPlaces(name: string, folder: string): readonly SearchedPlace[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) => {
    if (!file.isFile()) return []
    const path = join(file.parentPath, file.name)
    return [{ name: `${name}/${relative(folder, path)}`, bytes: readFileSync(path) }]
  })
}
