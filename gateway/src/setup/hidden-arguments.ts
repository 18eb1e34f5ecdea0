/**
 * How a server is started or reached, for people who look: with what may be a credential replaced. Arguments are no place for
 * one, and there is no way to tell for certain; in doubt it is one. What is hidden too much stands in the operator's file.
 */
import { shorten } from 'rubicon-kernel'
import { isSecretName, isSecretText } from './secret-text.ts'

export const HIDDEN = '‹hidden›'

const LENGTH = 120

/** Of a program: the first is the program itself. */
export function hideSecretArguments([program = '', ...args]: readonly string[]): readonly string[] {
  const shown = args.map((argument, index) => {
    const flag = args[index - 1] ?? ''
    const isValueOfFlag = flag.startsWith('-') && !flag.includes('=') && !argument.startsWith('-')
    return isValueOfFlag && isSecretName(flag.replace(/^-+/, '')) ? HIDDEN : hideInText(argument)
  })
  return [program, ...shown].map((text) => shorten(text, LENGTH))
}

/** Without its query and whoever it names, and without a piece of its path that may be a token. */
export function hideInAddress(address: string): string {
  const { origin, pathname, search } = new URL(address)
  const pieces = pathname.split('/').map((piece) => (isSecretText('', piece) ? HIDDEN : piece))
  return `${origin}${pieces.join('/')}${search === '' ? '' : `?${HIDDEN}`}`
}

/** `--name=value`, `NAME=value`, `Name: value`, an address, `-pvalue`, or a word. */
function hideInText(argument: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(argument)) return hideInUrl(argument)
  if (/^-p\S{3,}$/.test(argument)) return `-p${HIDDEN}`
  const [, name = '', mark = '', value = ''] = /^([^=:\s]+)([=:]\s*)(.*)$/s.exec(argument) ?? []
  if (mark !== '' && (isSecretName(name.replace(/^-+/, '')) || isSecretText('', value)))
    return `${name}${mark}${HIDDEN}`
  if (mark.startsWith('=') && value.includes('://')) return `${name}${mark}${hideInText(value)}`
  return isSecretText('', argument) ? HIDDEN : argument
}

/** The address of a database has no origin. */
function hideInUrl(text: string): string {
  if (!URL.canParse(text)) return HIDDEN
  const { origin, protocol, host } = new URL(text)
  return origin === 'null' ? `${protocol}//${host}/${HIDDEN}` : hideInAddress(text)
}
