/**
 * The file of a private key that is made here. It gets its name only when the key is registered; until
 * then it stands beside it as `FILE.unregistered`, so that no registered key is ever lost, and goes if
 * the registration fails.
 */
import { constants, copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { CliFailure } from './failure.ts'
import { isUnheard } from './shell/link.ts'

export async function writeOnceRegistered<T>(
  file: string,
  pem: string,
  register: () => Promise<T>,
): Promise<T> {
  if (existsSync(file)) throw createFileExistsFailure(file)
  const draft = `${file}.unregistered`
  writeFileSync(draft, pem, { mode: 0o600, flag: 'wx' })
  const registered = await register().catch((error: unknown) => {
    // Whether a server that did not answer has registered it, nobody knows here.
    if (!isUnheard(error)) rmSync(draft)
    throw error
  })
  copyFileSync(draft, file, constants.COPYFILE_EXCL)
  rmSync(draft)
  return registered
}

function createFileExistsFailure(file: string): CliFailure {
  return new CliFailure({
    code: 'EEXIST',
    summary: `\`${file}\` is there already`,
    why: 'it may be the only copy of another key',
    fix: 'give another name with --out',
  })
}
