/**
 * What is installed, by `package-lock.json` (version 2 and 3): roots that others refer to. A root is known by its lock hash; another
 * version, or other bytes of the same one, are another root.
 */
import {
  computeAddress,
  err,
  isObject,
  type JsonValue,
  ok,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { ParseProblem } from '../../tree/parsed.ts'
import { JSON_FORMAT } from '../json/json.ts'
import { JSON_VALUES } from '../json/json-values.ts'
import { toPackageName } from './external-name.ts'

export type LockedModule = {
  /** As others import it. */
  readonly name: string
  readonly version: string
  /** Of what has none (a package from git, one that came with another): where it came from; null: nobody says. */
  readonly integrity: string | null
  /** Over the three above. */
  readonly hash: string
}

/** By the place that it is installed in, as `node_modules/a/node_modules/b`. */
export type LockedModules = ReadonlyMap<string, LockedModule>

const FOLDER = 'node_modules/'
const BUILTIN = 'node:'

export function readLock(text: string, sha256: Sha256): Result<LockedModules, ParseProblem> {
  const parsed = JSON_FORMAT.parse(text)
  if (!parsed.ok) return parsed
  const lock = JSON_VALUES.read(parsed.value)
  if (!lock.ok) return lock
  const { lockfileVersion: version, packages } = isObject(lock.value) ? lock.value : {}
  if (version !== 2 && version !== 3)
    return err({ detail: 'a lock is of version 2 or 3', at: null })
  if (!isObject(packages)) return err({ detail: 'a lock has `packages`', at: null })
  const found = new Map<string, LockedModule>()
  for (const [place, entry] of Object.entries(packages)) {
    const read = readEntry(place, entry, sha256)
    if (!read.ok) return read
    if (read.value !== null) found.set(place, read.value)
  }
  return ok(found)
}

/** Null: it is of the project itself. */
function readEntry(
  place: string,
  entry: JsonValue,
  sha256: Sha256,
): Result<LockedModule | null, ParseProblem> {
  const at = place.lastIndexOf(FOLDER)
  if (!isObject(entry)) return err({ detail: `\`${place}\` is no package`, at: null })
  if (at < 0 || entry.link === true) return ok(null)
  const name = place.slice(at + FOLDER.length)
  const { version, integrity, resolved } = entry
  if (typeof version !== 'string' || toPackageName(name) !== name)
    return err({ detail: `\`${place}\` has no name and version`, at: null })
  const source = [integrity, resolved].find((value) => typeof value === 'string') ?? null
  return ok(lockModule(name, version, typeof source === 'string' ? source : null, sha256))
}

export function lockModule(
  name: string,
  version: string,
  integrity: string | null,
  sha256: Sha256,
): LockedModule {
  const hash = computeAddress('external-module', { name, version, integrity }, sha256)
  return { name, version, integrity, hash }
}

/** What the platform brings, as it lists it: some of it is found under its full name alone. All of it is of one version. */
export function lockBuiltins(
  names: readonly string[],
  version: string,
  sha256: Sha256,
): LockedModules {
  const found = new Map<string, LockedModule>()
  for (const name of names) {
    const full = name.startsWith(BUILTIN) ? name : `${BUILTIN}${name}`
    const locked = lockModule(full, version, null, sha256)
    found.set(full, locked).set(name, locked)
  }
  return found
}
