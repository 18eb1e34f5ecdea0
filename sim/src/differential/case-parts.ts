/** What cases are made with. */
import { createHash } from 'node:crypto'
import type { JsonObject, Sha256 } from 'rubicon-kernel'

export const hashSha256: Sha256 = (data) => createHash('sha256').update(data).digest()

/** The same type, open for changes. JSON of any form stays as it is. */
export type Open<T> = [JsonObject] extends [T] ? T : OpenMembers<T>

type OpenMembers<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends object
    ? { -readonly [K in keyof T]: Open<T[K]> }
    : T
