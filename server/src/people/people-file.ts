/** Who may ask, kept in the state directory: names, roles and hashes of tokens, mode 0600. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import {
  err,
  type Failure,
  findPersonNameProblem,
  isIdentifier,
  isObject,
  type JsonValue,
  ok,
  parseJson,
  type Result,
} from 'rubicon-kernel'
import type { KnownPerson } from './people.ts'
import { keepOwner, runLocked } from './people-lock.ts'
import { PERSON_ROLES, SOURCE_ROLE } from './principal.ts'

/** None when there is no file yet. */
export function readPeople(path: string): Result<readonly KnownPerson[], Failure> {
  if (!existsSync(path)) return ok([])
  try {
    return parsePeople(path, readFileSync(path))
  } catch (error) {
    return err(createPeopleUnreadableFailure(path, error))
  }
}

function parsePeople(path: string, bytes: Uint8Array): Result<readonly KnownPerson[], Failure> {
  const read = parseJson(bytes)
  const people = read.ok && isObject(read.value) ? read.value.people : undefined
  if (!Array.isArray(people)) return err(createPeopleUnreadableFailure(path))
  const known = people.map(parsePerson)
  return known.every((one) => one !== null) ? ok(known) : err(createPeopleUnreadableFailure(path))
}

function parsePerson(value: JsonValue): KnownPerson | null {
  if (!isObject(value)) return null
  const { name, roles, token_hash, tenants } = value
  if (typeof name !== 'string' || !isIdentifier(name)) return null
  if (findPersonNameProblem(name) !== undefined) return null
  if (typeof token_hash !== 'string' || !Array.isArray(roles)) return null
  const held = isOnlySource(roles)
    ? [SOURCE_ROLE]
    : PERSON_ROLES.filter((role) => roles.includes(role))
  if (held.length !== roles.length) return null
  if (tenants === undefined) return { name, roles: held, token_hash }
  if (!Array.isArray(tenants)) return null
  const named = tenants.filter((one) => typeof one === 'string')
  return named.length === tenants.length ? { name, roles: held, tenants: named, token_hash } : null
}

/** A feed that could approve would be a person whom nobody knows. */
function isOnlySource(roles: readonly JsonValue[]): boolean {
  return roles.length === 1 && roles[0] === SOURCE_ROLE
}

/** Reads who may ask, has it changed, and writes it, while nobody else does. */
export function changePeople<T>(
  path: string,
  change: (known: readonly KnownPerson[]) => Result<PeopleChange<T>, Failure>,
  waitMs?: number,
): Result<T, Failure> {
  const place = resolvePath(path)
  const work = (): Result<T, Failure> => {
    const known = readPeople(place)
    if (!known.ok) return known
    const changed = change(known.value)
    if (!changed.ok) return changed
    const { people, value } = changed.value
    if (people !== known.value) writePeople(place, people)
    return ok(value)
  }
  return runLocked(place, work, waitMs)
}

/** The people as they are from now on; the same list: nothing changes. */
export type PeopleChange<T> = { readonly people: readonly KnownPerson[]; readonly value: T }

export function writePeople(path: string, people: readonly KnownPerson[]): void {
  replaceFile(path, `${JSON.stringify({ people }, null, 2)}\n`)
}

/** Written aside and renamed: nobody is locked out by a crash, or by a disk that is full. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const aside = `${path}.${process.pid}.new`
  try {
    writeAside(aside, text, path)
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}

/** All of it, or it throws: one call to the system may take a part, and that is no error to it. */
function writeAside(aside: string, text: string, path: string): void {
  const file = openSync(aside, 'w', 0o600)
  try {
    keepOwner(file, existsSync(path) ? path : dirname(path))
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Where the file itself is: a link to it that is renamed over would lead nowhere any more. */
function resolvePath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

function createPeopleUnreadableFailure(path: string, cause?: unknown): Failure {
  return {
    code: 'PEOPLE_UNREADABLE',
    summary: `\`${path}\` is not a valid list of people`,
    ...(cause instanceof Error ? { why: cause.message } : {}),
    fix: 'restore it, or remove it: the next start makes a new token',
  }
}
