/**
 * The passphrase of the key files, out of a file: a command line and an environment are shown to others.
 * systemd hands it over as the credential `rubicon-passphrase`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUsageFailure, type Options, type StorePlace } from './call.ts'

const CREDENTIAL = 'rubicon-passphrase'
/** Below it, guessing needs no patience. */
const SHORTEST = 12

export function findPassphraseFile(options: Options, env: NodeJS.ProcessEnv): string | undefined {
  const given = options.text('passphraseFile') ?? env.RUBICON_PASSPHRASE_FILE
  if (given !== undefined) return given
  const { CREDENTIALS_DIRECTORY: folder } = env
  const credential = folder === undefined ? undefined : join(folder, CREDENTIAL)
  return credential !== undefined && existsSync(credential) ? credential : undefined
}

/** Undefined: nobody named one. The end of its line does not belong to it. */
export function readPassphrase({
  passphraseFile,
}: Pick<StorePlace, 'passphraseFile'>): string | undefined {
  if (passphraseFile === undefined) return undefined
  const passphrase = readText(passphraseFile).replace(/\r?\n$/, '')
  if (passphrase.length >= SHORTEST) return passphrase
  throw createUsageFailure(
    `the passphrase in \`${passphraseFile}\` is too short`,
    `use at least ${SHORTEST} characters`,
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw createUsageFailure(
      `\`${file}\` cannot be read`,
      'correct `--passphrase-file`, or its rights',
    )
  }
}
