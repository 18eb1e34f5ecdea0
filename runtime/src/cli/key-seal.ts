/** `rubicon keys seal` and `keys unseal`: the key files of a state directory, under a passphrase or as they are. */
import { resolveStateDirectory, sealKeys, unsealKeys } from '../compose.ts'
import { type Call, missing, type Place } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { passphraseOf } from './passphrase.ts'

export async function seal({ place, out }: Call): Promise<ExitCode> {
  const files = sealKeys(stateOf(place), givenPassphrase(place))
  out.line(`${out.symbol(SYMBOLS.allowed)} ${counted(files)} sealed: ${listed(files)}`)
  out.note(
    `${SYMBOLS.waiting} without the passphrase nobody opens them again; copies and backups of the open files are open still`,
  )
  out.data({ files })
  return EXIT.done
}

export async function unseal(call: Call): Promise<ExitCode> {
  const { place, out } = call
  const passphrase = givenPassphrase(place)
  const what = 'the keys will lie open, for their owner alone'
  await confirm(call, { what, name: 'unseal' })
  const files = unsealKeys(stateOf(place), passphrase)
  out.line(`${out.symbol(SYMBOLS.allowed)} ${counted(files)} opened: ${listed(files)}`)
  out.data({ files })
  return EXIT.done
}

function givenPassphrase(place: Place): string {
  const passphrase = passphraseOf(place)
  if (passphrase === undefined) throw missing('--passphrase-file PATH')
  return passphrase
}

function stateOf({ state, store }: Place): string {
  return state ?? resolveStateDirectory(store)
}

function counted({ length }: readonly string[]): string {
  return length === 1 ? '1 file' : `${length} files`
}

function listed(files: readonly string[]): string {
  return files.length === 0 ? 'nothing was left to do' : [...files].sort().join(', ')
}
