/**
 * The folder with the secrets of a runtime, one file each, for its owner alone: as they are, or sealed under a
 * passphrase. It is one or the other as a whole, so that nobody believes sealed what lies open.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { encodeHex } from 'rubicon-kernel'
import { systemRandom } from './random.ts'
import { createSeal, SALT_BYTES, type SecretSeal } from './seal.ts'

/** The salt. Where it lies, everything beside it is sealed. */
const SALT_FILE = 'sealed.salt'
const SEALED = '.sealed'
const PLAIN = /\.(pem|key)$/

export interface KeyFolder {
  readonly path: string
  has(name: string): boolean
  read(name: string): Uint8Array
  /** Of processes that make it at once the first does, and all read what it made. */
  make(name: string, bytes: Uint8Array): void
}

type Closed = 'KEYS_SEALED' | 'KEYS_OPEN' | 'KEYS_LOST' | 'KEY_DAMAGED'

/** Why a folder does not open. Its message is for whoever started the process. */
export class KeysClosed extends Error {
  readonly code: Closed
  readonly fix: string

  constructor(code: Closed, message: string, fix: string) {
    super(message)
    this.code = code
    this.fix = fix
  }
}

export function isSealed(path: string): boolean {
  return existsSync(join(path, SALT_FILE))
}

export function openKeyFolder(path: string, passphrase?: string): KeyFolder {
  if (passphrase === undefined) {
    if (isSealed(path)) throw createNoPassphraseError(path)
    return openPlainFolder(path)
  }
  if (listPlainFiles(path).length > 0) throw createUnsealedKeysError(path)
  return openSealedFolder(path, passphrase)
}

function openPlainFolder(path: string): KeyFolder {
  return {
    path,
    has: (name) => existsSync(join(path, name)),
    read: (name) => readFileSync(join(path, name)),
    make: (name, bytes) => makeFile(path, name, bytes),
  }
}

function openSealedFolder(path: string, passphrase: string): KeyFolder {
  let made: SecretSeal | null = null
  const seal = (): SecretSeal => {
    made ??= createSeal(passphrase, readSalt(path))
    return made
  }
  return {
    path,
    has: (name) => existsSync(join(path, `${name}${SEALED}`)),
    read(name) {
      const bytes = seal().open(name, readFileSync(join(path, `${name}${SEALED}`)))
      if (bytes === null) throw doesNotOpen(path, name)
      return bytes
    },
    make: (name, bytes) => makeFile(path, `${name}${SEALED}`, seal().seal(name, bytes)),
  }
}

function readSalt(path: string): Uint8Array {
  if (!isSealed(path)) makeFile(path, SALT_FILE, systemRandom.bytes(SALT_BYTES))
  return readFileSync(join(path, SALT_FILE))
}

/** Written aside and linked: nobody reads half of it, and nobody replaces it. */
function makeFile(path: string, name: string, bytes: Uint8Array): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const aside = join(path, `${name}.${encodeHex(systemRandom.bytes(8))}`)
  const file = openSync(aside, 'wx', 0o600)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(aside, join(path, name))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(aside)
  }
}

function listPlainFiles(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path).filter((name) => PLAIN.test(name)) : []
}

function listSealedFiles(path: string): readonly string[] {
  const names = readdirSync(path).filter((name) => name.endsWith(SEALED))
  return names.map((name) => name.slice(0, -SEALED.length))
}

/**
 * Seals what lies open. Sealed copies are made and read back before the first open file goes, and a run that
 * was cut off is gone on with by the next.
 */
export function sealKeyFolder(path: string, passphrase: string): readonly string[] {
  const open = listPlainFiles(path)
  const sealed = openSealedFolder(path, passphrase)
  for (const name of open) {
    sealed.make(name, readFileSync(join(path, name)))
    if (!Buffer.from(sealed.read(name)).equals(readFileSync(join(path, name))))
      throw createKeyMismatchError(path, name)
  }
  for (const name of open) rmSync(join(path, name))
  return open
}

/** The way back, in the same order: the salt goes last, with the last sealed file. */
export function unsealKeyFolder(path: string, passphrase: string): readonly string[] {
  if (!isSealed(path)) return []
  const sealed = openSealedFolder(path, passphrase)
  const names = listSealedFiles(path)
  for (const name of names) makeFile(path, name, sealed.read(name))
  for (const name of names) rmSync(join(path, `${name}${SEALED}`))
  rmSync(join(path, SALT_FILE))
  return names
}

function createNoPassphraseError(path: string): KeysClosed {
  return new KeysClosed(
    'KEYS_SEALED',
    `the keys in ${path} are sealed, and nobody gave the passphrase`,
    'name the file that has it: --passphrase-file PATH, RUBICON_PASSPHRASE_FILE, or the credential rubicon-passphrase of systemd',
  )
}

function createUnsealedKeysError(path: string): KeysClosed {
  return new KeysClosed(
    'KEYS_OPEN',
    `the keys in ${path} lie open, and a passphrase is given for them`,
    'seal them: rubicon keys seal',
  )
}

function doesNotOpen(path: string, name: string): KeysClosed {
  return new KeysClosed(
    'KEYS_SEALED',
    `${join(path, name)} does not open under this passphrase`,
    'give the one that the keys were sealed under; a file that was changed opens under none: restore it from your backup',
  )
}

export function createLostKeysError(path: string, names: readonly string[]): KeysClosed {
  return new KeysClosed(
    'KEYS_LOST',
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not in ${path}, and the store has a ledger that was signed with other keys than new ones would be`,
    'restore them from your backup of the state directory, or name the one that the store was made with (--state, RUBICON_STATE)',
  )
}

export function createDamagedKeyError(path: string, name: string): KeysClosed {
  return new KeysClosed(
    'KEY_DAMAGED',
    `${join(path, name)} holds no Ed25519 private key`,
    'restore it from your backup of the state directory; nothing was written meanwhile',
  )
}

function createKeyMismatchError(path: string, name: string): KeysClosed {
  return new KeysClosed(
    'KEYS_SEALED',
    `${join(path, name)} lies open beside a sealed one that is another`,
    'find out which one the ledger knows (rubicon keys list), and remove the other',
  )
}
