/** `rubicon keys seal` and `keys unseal`: the key files of a state directory, under a passphrase or as they are. */
import { resolveStateDirectory, sealKeys, unsealKeys } from 'rubicon-runtime/compose'
import { type CommandCall, createMissingFailure, type StorePlace } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { readPassphrase } from './passphrase.ts'

export async function seal({ place, out }: CommandCall): Promise<ExitCode> {
  const files = sealKeys(getStateFolder(place), getRequiredPassphrase(place))
  out.line(
    `${out.symbol(SYMBOLS.allowed)} ${formatFileCount(files)} sealed: ${formatFileList(files)}`,
  )
  out.note(
    `${SYMBOLS.waiting} without the passphrase they cannot be decrypted; copies and backups made before are not encrypted`,
  )
  out.data({ files })
  return EXIT.done
}

export async function unseal(call: CommandCall): Promise<ExitCode> {
  const { place, out } = call
  const passphrase = getRequiredPassphrase(place)
  const what = 'the keys will lie open, for their owner alone'
  await confirm(call, { what, name: 'unseal' })
  const files = unsealKeys(getStateFolder(place), passphrase)
  out.line(
    `${out.symbol(SYMBOLS.allowed)} ${formatFileCount(files)} opened: ${formatFileList(files)}`,
  )
  out.data({ files })
  return EXIT.done
}

function getRequiredPassphrase(place: StorePlace): string {
  const passphrase = readPassphrase(place)
  if (passphrase === undefined) throw createMissingFailure('--passphrase-file PATH')
  return passphrase
}

function getStateFolder({ state, store }: StorePlace): string {
  return state ?? resolveStateDirectory(store)
}

function formatFileCount({ length }: readonly string[]): string {
  return length === 1 ? '1 file' : `${length} files`
}

function formatFileList(files: readonly string[]): string {
  return files.length === 0 ? 'nothing was left to do' : [...files].sort().join(', ')
}
